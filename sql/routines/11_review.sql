-- Review: what waits for somebody's decision, and deciding it.

CREATE FUNCTION muninn.suggest_share(
  bot text, person bigint, memory bigint, audience text DEFAULT 'shared', reason text DEFAULT NULL
) RETURNS bigint
LANGUAGE plpgsql
SET search_path = pg_catalog, pg_temp
AS $$
DECLARE
  taken record;
  target bigint;
  made bigint;
BEGIN
  SELECT * INTO taken FROM muninn.take(bot, person, memory, 'share', NULL);
  target := muninn.named_audience(taken.bot_id, person, audience);
  IF target = taken.audience_id THEN
    RAISE EXCEPTION 'memory % is there already', memory USING ERRCODE = 'invalid_parameter_value',
      HINT = 'Name another audience.';
  END IF;
  INSERT INTO muninn.share_proposal AS p (bot_id, memory_id, audience_id, proposed_by, reason)
  VALUES (taken.bot_id, memory, target, person, muninn.check_reason(suggest_share.reason))
  ON CONFLICT (bot_id, memory_id, audience_id) DO UPDATE SET reason = coalesce(excluded.reason, p.reason)
  RETURNING p.id INTO made;
  PERFORM muninn.audit(taken.bot_id, person, 'suggest_share', memory, jsonb_build_object('to', target));
  RETURN made;
END
$$;
COMMENT ON FUNCTION muninn.suggest_share(text, bigint, bigint, text, text) IS
  'Proposes to let more people read a memory, as a model does, which never shares by itself; returns the proposal, which waits in the review queue of the person who said it and of the reviewers. Errors: 22023 no audience, or it is there already; 42501, 42704, 55000. Example: SELECT muninn.suggest_share(''assistant'', 1, 42, ''shared'', ''everybody asks for it'')';

CREATE FUNCTION muninn.review_queue(bot text, person bigint, k integer DEFAULT 50, after bigint DEFAULT 0)
RETURNS TABLE (item bigint, what text, memory_id bigint, content text, audience text, proposed_audience text,
  reason text, author_id bigint, version integer, waiting_since timestamptz)
LANGUAGE plpgsql STABLE
SET search_path = pg_catalog, pg_temp
AS $$
DECLARE
  scope record;
  reviewer boolean;
BEGIN
  SELECT * INTO scope FROM muninn.scope(bot, person);
  IF k NOT BETWEEN 1 AND 1000 THEN
    RAISE EXCEPTION 'k is %, but must be from 1 to 1000', k
      USING ERRCODE = 'invalid_parameter_value', HINT = 'For more, page on with after => the last item.';
  END IF;
  reviewer := muninn.reviews(scope.bot_id, person);
  RETURN QUERY
    SELECT q.* FROM (
      SELECT m.id, 'memory'::text, m.id, m.content, muninn.audience_name(a.kind, a.key), NULL::text, NULL::text,
             m.author_id, m.version, m.created_at
      FROM muninn.memory m JOIN muninn.audience a ON a.bot_id = m.bot_id AND a.id = m.audience_id
      WHERE m.bot_id = scope.bot_id AND m.audience_id = ANY (scope.audiences) AND m.status = 'candidate'
        AND (a.kind = 'personal' OR reviewer OR (muninn.is_same_person(m.author_id, person)
             AND NOT EXISTS (SELECT FROM muninn.reviewer r WHERE r.bot_id = scope.bot_id)))
      UNION ALL
      SELECT p.id, 'share', m.id, m.content, muninn.audience_name(a.kind, a.key), muninn.audience_name(t.kind, t.key),
             p.reason, m.author_id, m.version, p.created_at
      FROM muninn.share_proposal p
      JOIN muninn.memory m ON m.bot_id = p.bot_id AND m.id = p.memory_id
      JOIN muninn.audience a ON a.bot_id = m.bot_id AND a.id = m.audience_id
      JOIN muninn.audience t ON t.bot_id = p.bot_id AND t.id = p.audience_id
      WHERE p.bot_id = scope.bot_id AND m.audience_id = ANY (scope.audiences)
        AND (muninn.is_same_person(m.author_id, person) OR (reviewer AND a.kind <> 'personal'))) q (item, what, memory_id, content, audience,
          proposed_audience, reason, author_id, version, waiting_since)
    WHERE q.item > coalesce(after, 0) ORDER BY q.item, q.what LIMIT coalesce(k, 50);
END
$$;
COMMENT ON FUNCTION muninn.review_queue(text, bigint, integer, bigint) IS
  'What waits for a decision of this person, oldest first: candidates of the person''s own, also those said to others as long as the bot has no reviewer; as a reviewer those of groups and of all; and proposals to share (what: memory or share). k of them (1 to 1000), after: the last item of the page before. Errors: 22023, 42501, 42704. Example: SELECT item, what, content FROM muninn.review_queue(''assistant'', 1)';

CREATE FUNCTION muninn.decide(
  bot text, person bigint, what text, items bigint[], accept boolean, reason text DEFAULT NULL, versions integer[] DEFAULT NULL
) RETURNS bigint
LANGUAGE plpgsql
SET search_path = pg_catalog, pg_temp
AS $$
DECLARE
  scope record;
  proposal record;
  decided bigint := 0;
  seen integer;
  item bigint;
  found_status text;
BEGIN
  SELECT * INTO scope FROM muninn.scope(bot, person);
  IF items IS NULL OR array_position(items, NULL) IS NOT NULL OR accept IS NULL OR what IS NULL THEN
    RAISE EXCEPTION 'what, items and accept must not be NULL' USING ERRCODE = 'null_value_not_allowed',
      HINT = 'For instance muninn.decide(''assistant'', 1, ''memory'', ''{42}'', true).';
  END IF;
  IF what NOT IN ('memory', 'share') OR cardinality(versions) <> cardinality(items) THEN
    RAISE EXCEPTION 'there is nothing like this to decide' USING ERRCODE = 'invalid_parameter_value',
      HINT = 'what is memory or share, as muninn.review_queue says; versions are as many as items, or NULL.';
  END IF;
  -- In the order of their ids: two who decide the same do not wait crosswise.
  FOR item, seen IN
    SELECT i.item, i.version FROM unnest(items, versions) AS i (item, version) ORDER BY i.item
  LOOP
    IF what = 'memory' THEN
      -- The queue showed a candidate: what somebody else decided otherwise since is not
      -- overturned; the same again, as after a lost answer, is no change.
      SELECT m.status INTO found_status FROM muninn.memory m
      WHERE m.bot_id = scope.bot_id AND m.id = item AND m.audience_id = ANY (scope.audiences) FOR NO KEY UPDATE;
      IF found_status NOT IN ('candidate', CASE WHEN accept THEN 'verified' ELSE 'rejected' END) THEN
        RAISE EXCEPTION 'memory % was decided otherwise by somebody else: it is % now', item, found_status
          USING ERRCODE = 'serialization_failure',
          HINT = 'Look at it again; muninn.confirm, reject and retract change a decision.';
      END IF;
      IF accept THEN
        PERFORM muninn.confirm(bot, person, item, seen, reason);
      ELSE
        PERFORM muninn.reject(bot, person, item, seen, reason);
      END IF;
    ELSE
      SELECT p.memory_id, p.audience_id, m.author_id, a.kind, t.kind AS target_kind, t.key INTO proposal
      FROM muninn.share_proposal p
      JOIN muninn.memory m ON m.bot_id = p.bot_id AND m.id = p.memory_id
      JOIN muninn.audience a ON a.bot_id = m.bot_id AND a.id = m.audience_id
      JOIN muninn.audience t ON t.bot_id = p.bot_id AND t.id = p.audience_id
      WHERE p.bot_id = scope.bot_id AND p.id = item AND m.audience_id = ANY (scope.audiences)
        AND (muninn.is_same_person(m.author_id, person) OR (a.kind <> 'personal' AND muninn.reviews(scope.bot_id, person)))
      FOR UPDATE OF p;
      IF NOT FOUND THEN
        RAISE EXCEPTION 'there is no proposal % for person % to decide', item, person
          USING ERRCODE = 'undefined_object', HINT = 'Somebody may have decided it; see muninn.review_queue.';
      END IF;
      IF accept THEN
        PERFORM muninn.share(bot, person, proposal.memory_id,
          muninn.audience_name(proposal.target_kind, proposal.key), seen, reason);
      ELSE
        PERFORM muninn.audit(scope.bot_id, person, 'reject_share', proposal.memory_id,
          jsonb_build_object('to', proposal.audience_id, 'reason', muninn.check_reason(reason)));
      END IF;
      DELETE FROM muninn.share_proposal p WHERE p.bot_id = scope.bot_id AND p.id = item;
    END IF;
    decided := decided + 1;
  END LOOP;
  RETURN decided;
END
$$;
COMMENT ON FUNCTION muninn.decide(text, bigint, text, bigint[], boolean, text, integer[]) IS
  'Decides items of the review queue, all or none: what is memory (confirm or reject) or share (share, or leave it); reason is kept in the audit chain; versions: those that the caller saw. Returns how many. Errors: 22004, 22023, 40001 somebody else decided or changed it meanwhile, 42501, 42704, 55000. Example: SELECT muninn.decide(''assistant'', 1, ''memory'', ''{42,43}'', true)';

CREATE FUNCTION muninn.expire_candidates() RETURNS bigint
LANGUAGE plpgsql
SET search_path = pg_catalog, pg_temp
AS $$
DECLARE
  late record;
  expired bigint := 0;
BEGIN
  FOR late IN
    SELECT m.bot_id, m.id FROM muninn.bot b JOIN muninn.memory m ON m.bot_id = b.id
    WHERE (b.settings ->> 'candidate_days')::double precision > 0 AND m.status = 'candidate'
      AND m.created_at < clock_timestamp() - make_interval(secs => (b.settings ->> 'candidate_days')::double precision * 86400)
    ORDER BY m.bot_id, m.id LIMIT 1000 FOR NO KEY UPDATE OF m SKIP LOCKED
  LOOP
    PERFORM muninn.change_belief(late.bot_id, late.id, 'rejected', muninn.change_time(late.bot_id, late.id), ended => true);
    PERFORM muninn.audit(late.bot_id, NULL, 'expire', late.id);
    expired := expired + 1;
  END LOOP;
  RETURN expired;
END
$$;
COMMENT ON FUNCTION muninn.expire_candidates() IS
  'Rejects candidates that nobody has decided within the bot setting candidate_days, at most 1,000; returns how many. A task of the worker. Example: SELECT muninn.expire_candidates()';
