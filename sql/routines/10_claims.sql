-- Claims: (subject, attribute, value, single_valued), the structured form of a
-- memory. A single-valued attribute has one value at a time.

CREATE FUNCTION muninn.check_claim(claim jsonb) RETURNS void
LANGUAGE plpgsql IMMUTABLE
SET search_path = pg_catalog, pg_temp
AS $$
BEGIN
  IF claim IS NULL OR NOT claim ? 'attribute' THEN
    RETURN; -- another structure of the caller's own
  END IF;
  IF jsonb_typeof(claim -> 'subject') IS DISTINCT FROM 'string' OR jsonb_typeof(claim -> 'attribute') <> 'string'
     OR btrim(claim ->> 'subject') = '' OR btrim(claim ->> 'attribute') = '' OR NOT claim ? 'value'
     OR octet_length(claim ->> 'subject') > 500 OR octet_length(claim ->> 'attribute') > 500
     OR jsonb_typeof(coalesce(claim -> 'single_valued', 'false')) <> 'boolean' THEN
    RAISE EXCEPTION 'the claim is not whole' USING ERRCODE = 'invalid_parameter_value',
      HINT = 'A claim is {"subject": "…", "attribute": "…", "value": …, "single_valued": true or false}, subject and attribute of 1 to 500 bytes.';
  END IF;
END
$$;
COMMENT ON FUNCTION muninn.check_claim(jsonb) IS
  'Refuses a claim with an attribute, but without the rest (22023). Other objects may be kept in claim, too. Example: SELECT muninn.check_claim(''{"subject": "Anna", "attribute": "city", "value": "Rome", "single_valued": true}'')';

CREATE FUNCTION muninn.claim_key(claim jsonb) RETURNS text
LANGUAGE sql IMMUTABLE
RETURN CASE WHEN pg_catalog.jsonb_typeof(claim OPERATOR(pg_catalog.->) 'attribute') OPERATOR(pg_catalog.=) 'string' THEN
  pg_catalog.lower(pg_catalog.btrim(claim OPERATOR(pg_catalog.->>) 'subject')) OPERATOR(pg_catalog.||) pg_catalog.chr(31)
  OPERATOR(pg_catalog.||) pg_catalog.lower(pg_catalog.btrim(claim OPERATOR(pg_catalog.->>) 'attribute')) END;
COMMENT ON FUNCTION muninn.claim_key(jsonb) IS
  'Subject and attribute of a claim, without case; NULL for what is no claim. Example: SELECT muninn.claim_key(''{"subject": "Anna", "attribute": "city", "value": "Rome"}'')';

CREATE INDEX memory_claim ON muninn.memory (bot_id, audience_id, muninn.claim_key(claim))
  WHERE status IN ('candidate', 'verified') AND claim IS NOT NULL;

CREATE FUNCTION muninn.apply_claim(bot_id bigint, person bigint, memory bigint) RETURNS bigint
LANGUAGE plpgsql
SET search_path = pg_catalog, pg_temp
AS $$
DECLARE
  new record;
  old record;
  closes boolean;
  changed bigint := 0;
BEGIN
  SELECT m.audience_id, m.claim, m.valid_from, m.valid_to, m.status INTO new
  FROM muninn.memory m WHERE m.bot_id = apply_claim.bot_id AND m.id = memory;
  IF muninn.claim_key(new.claim) IS NULL OR new.claim -> 'single_valued' IS DISTINCT FROM 'true' THEN
    RETURN 0;
  END IF;
  -- One new value at a time, so that of two at once the later sees the other.
  PERFORM pg_advisory_xact_lock(hashtextextended(format('%s %s %s', apply_claim.bot_id, new.audience_id,
    muninn.claim_key(new.claim)), 1836412526));
  -- A candidate closes nothing before somebody has confirmed it.
  SELECT muninn.closes_claims(b.settings::text) AND new.status = 'verified' INTO closes
  FROM muninn.bot b WHERE b.id = apply_claim.bot_id;
  FOR old IN
    SELECT m.id, m.valid_from, m.valid_to, m.status FROM muninn.memory m
    WHERE m.bot_id = apply_claim.bot_id AND m.audience_id = new.audience_id AND m.id <> memory
      AND m.claim IS NOT NULL AND m.status IN ('candidate', 'verified')
      AND muninn.claim_key(m.claim) = muninn.claim_key(new.claim)
      AND m.claim -> 'value' IS DISTINCT FROM new.claim -> 'value'
      -- At the same time: half-open intervals.
      AND m.valid_from < coalesce(new.valid_to, 'infinity') AND new.valid_from < coalesce(m.valid_to, 'infinity')
    ORDER BY m.id FOR NO KEY UPDATE OF m
  LOOP
    -- What holds for a time alone does not end what holds beyond it.
    IF closes AND old.valid_from < new.valid_from
       AND coalesce(old.valid_to, 'infinity') <= coalesce(new.valid_to, 'infinity') THEN
      PERFORM muninn.change_belief(apply_claim.bot_id, old.id, 'superseded',
        muninn.change_time(apply_claim.bot_id, old.id), valid_to => new.valid_from, superseded_by => memory);
      PERFORM muninn.audit(apply_claim.bot_id, person, 'supersede', old.id,
        jsonb_build_object('by', memory, 'from', old.status, 'claim', true));
    ELSE
      PERFORM muninn.add_evidence(apply_claim.bot_id, old.id, 'contradiction', format('memory:%s', memory), person, 0.3);
      PERFORM muninn.add_evidence(apply_claim.bot_id, memory, 'contradiction', format('memory:%s', old.id), person, 0.3);
      PERFORM muninn.audit(apply_claim.bot_id, person, 'contradict', old.id, jsonb_build_object('by', memory, 'claim', true));
    END IF;
    changed := changed + 1;
  END LOOP;
  RETURN changed;
END
$$;
COMMENT ON FUNCTION muninn.apply_claim(bigint, bigint, bigint) IS
  'What a new value of a single-valued attribute means for the older ones: with the bot setting claims ''close'' they were true until the new one is, with ''contradict'' (or where both begin at once, or the new one is a candidate) they contradict each other. Returns how many there were. Part of remember and confirm. Example: SELECT muninn.apply_claim(1, 1, 42)';

CREATE FUNCTION muninn.contradicted_by(bot_id bigint, memory bigint) RETURNS bigint[]
LANGUAGE sql STABLE
SET search_path = pg_catalog, pg_temp
BEGIN ATOMIC
  SELECT coalesce(array_agg(m.id ORDER BY m.id), '{}'::bigint[])
  FROM (SELECT substr(e.source, 8)::bigint AS id FROM muninn.evidence e
        WHERE e.bot_id OPERATOR(pg_catalog.=) contradicted_by.bot_id AND e.memory_id OPERATOR(pg_catalog.=) contradicted_by.memory
          AND e.kind OPERATOR(pg_catalog.=) 'contradiction' AND e.source OPERATOR(pg_catalog.~) '^memory:[0-9]{1,18}$'
        UNION
        SELECT c.b FROM muninn.contradiction c
        WHERE c.bot_id OPERATOR(pg_catalog.=) contradicted_by.bot_id AND c.a OPERATOR(pg_catalog.=) contradicted_by.memory
          AND c.state OPERATOR(pg_catalog.=) ANY ('{suspected,confirmed}'::text[])
        UNION
        SELECT c.a FROM muninn.contradiction c
        WHERE c.bot_id OPERATOR(pg_catalog.=) contradicted_by.bot_id AND c.b OPERATOR(pg_catalog.=) contradicted_by.memory
          AND c.state OPERATOR(pg_catalog.=) ANY ('{suspected,confirmed}'::text[])) opponent
  JOIN muninn.memory m ON m.bot_id OPERATOR(pg_catalog.=) contradicted_by.bot_id
    AND m.id OPERATOR(pg_catalog.=) opponent.id AND m.status OPERATOR(pg_catalog.=) ANY ('{candidate,verified}'::text[])
    -- Of another audience not even the id is told.
    AND m.audience_id OPERATOR(pg_catalog.=) (SELECT o.audience_id FROM muninn.memory o
      WHERE o.bot_id OPERATOR(pg_catalog.=) contradicted_by.bot_id AND o.id OPERATOR(pg_catalog.=) contradicted_by.memory);
END;
COMMENT ON FUNCTION muninn.contradicted_by(bigint, bigint) IS
  'The believed memories of the same audience that contradict this one: by evidence, or suspected or confirmed by comparing them. Example: SELECT muninn.contradicted_by(1, 42)';
