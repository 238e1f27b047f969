-- Looking at memories and erasing them. remember and recall are in the library.

CREATE VIEW muninn.memory_detail AS
SELECT m.bot_id, m.audience_id, m.id AS memory_id, m.content, m.summary, m.tags, m.kind,
       muninn.audience_name(a.kind, a.key) AS audience, m.author_id, m.status, m.confidence, m.claim,
       m.created_at, m.ended_at, m.valid_from, m.valid_to, m.superseded_by, m.source,
       t.key AS thread, m.thread_position, m.language, m.key,
       EXISTS (SELECT FROM muninn.embedding e
               WHERE e.bot_id OPERATOR(pg_catalog.=) m.bot_id
                 AND e.memory_id OPERATOR(pg_catalog.=) m.id) AS embedded
FROM muninn.memory m
JOIN muninn.audience a
  ON a.bot_id OPERATOR(pg_catalog.=) m.bot_id AND a.id OPERATOR(pg_catalog.=) m.audience_id
LEFT JOIN muninn.thread t
  ON t.bot_id OPERATOR(pg_catalog.=) m.bot_id AND t.id OPERATOR(pg_catalog.=) m.thread_id;
COMMENT ON VIEW muninn.memory_detail IS
  'A memory with what belongs to it written out. The functions memory and memories return rows of it.';

CREATE FUNCTION muninn.memory(bot text, person bigint, memory bigint)
RETURNS SETOF muninn.memory_detail
LANGUAGE plpgsql STABLE ROWS 1
SET search_path = pg_catalog, pg_temp
AS $$
DECLARE
  scope record;
BEGIN
  SELECT * INTO scope FROM muninn.scope(bot, person);
  IF memory IS NULL THEN
    RAISE EXCEPTION 'no memory is named' USING ERRCODE = 'null_value_not_allowed',
      HINT = 'Pass the memory_id that remember, recall or memories returned.';
  END IF;
  RETURN QUERY SELECT d.* FROM muninn.memory_detail d
    WHERE d.bot_id = scope.bot_id AND d.memory_id = memory AND d.audience_id = ANY (scope.audiences);
END
$$;
COMMENT ON FUNCTION muninn.memory(text, bigint, bigint) IS
  'One memory with all that belongs to it; no row if there is none of that id which the person may read. Errors: 22004, 42704 unknown bot or person. Example: SELECT content FROM muninn.memory(''assistant'', 1, 42)';

CREATE FUNCTION muninn.check_period(since timestamptz, until timestamptz) RETURNS void
LANGUAGE plpgsql IMMUTABLE
SET search_path = pg_catalog, pg_temp
AS $$
BEGIN
  IF since >= until THEN
    RAISE EXCEPTION 'the time range is empty: since % is not before until %', since, until
      USING ERRCODE = 'invalid_parameter_value',
      HINT = 'The range is half-open: since <= time < until.';
  END IF;
END
$$;
COMMENT ON FUNCTION muninn.check_period(timestamptz, timestamptz) IS
  'Refuses an empty time range (22023); NULL is open. Example: SELECT muninn.check_period(''2026-01-01'', ''2026-02-01'')';

CREATE FUNCTION muninn.check_statuses(statuses text[]) RETURNS void
LANGUAGE plpgsql IMMUTABLE
SET search_path = pg_catalog, pg_temp
AS $$
DECLARE
  bad text;
BEGIN
  SELECT s INTO bad FROM unnest(statuses) s
  WHERE s IS NULL OR s NOT IN ('candidate', 'verified', 'rejected', 'superseded', 'retracted') LIMIT 1;
  IF FOUND THEN
    RAISE EXCEPTION '"%" is no status of a memory', left(coalesce(bad, 'NULL'), 100)
      USING ERRCODE = 'invalid_parameter_value',
      HINT = 'There are candidate, verified, rejected, superseded and retracted.';
  END IF;
END
$$;
COMMENT ON FUNCTION muninn.check_statuses(text[]) IS
  'Refuses a name that is no status (22023). Example: SELECT muninn.check_statuses(''{verified}'')';

-- The conditions of a search as one set-based query: which memories of a scope
-- a search with these conditions may return at all. since and until bound the
-- time that a memory is about (valid_from); as_of is an instant of valid time,
-- known_at one of record time; intervals are half-open.
CREATE FUNCTION muninn.eligible(
  bot_id bigint, audiences bigint[], tags text[], kinds text[], since timestamptz, until timestamptz,
  as_of timestamptz, known_at timestamptz, statuses text[]
) RETURNS SETOF bigint
LANGUAGE sql STABLE
BEGIN ATOMIC
  SELECT m.id FROM muninn.memory m
  WHERE m.bot_id OPERATOR(pg_catalog.=) eligible.bot_id
    AND m.audience_id OPERATOR(pg_catalog.=) ANY (eligible.audiences)
    AND (eligible.tags IS NULL OR m.tags OPERATOR(pg_catalog.&&) eligible.tags)
    AND (eligible.kinds IS NULL OR m.kind OPERATOR(pg_catalog.=) ANY (eligible.kinds))
    AND (eligible.since IS NULL OR m.valid_from OPERATOR(pg_catalog.>=) eligible.since)
    AND (eligible.until IS NULL OR m.valid_from OPERATOR(pg_catalog.<) eligible.until)
    AND (eligible.as_of IS NULL OR (m.valid_from OPERATOR(pg_catalog.<=) eligible.as_of
         AND (m.valid_to IS NULL OR m.valid_to OPERATOR(pg_catalog.>) eligible.as_of)))
    AND CASE WHEN eligible.known_at IS NULL
         THEN m.status OPERATOR(pg_catalog.=) ANY (coalesce(eligible.statuses, '{candidate,verified}'))
         ELSE m.created_at OPERATOR(pg_catalog.<=) eligible.known_at
          AND (m.ended_at IS NULL OR m.ended_at OPERATOR(pg_catalog.>) eligible.known_at)
          AND (eligible.statuses IS NULL OR m.status OPERATOR(pg_catalog.=) ANY (eligible.statuses)) END;
END;
COMMENT ON FUNCTION muninn.eligible(bigint, bigint[], text[], text[], timestamptz, timestamptz, timestamptz, timestamptz, text[]) IS
  'Ids of the memories of a bot''s audiences that meet all given conditions; NULL is no condition, statuses NULL is candidate and verified. Called with what muninn.scope returns. Example: SELECT e.* FROM muninn.scope(''assistant'', 1) s, muninn.eligible(s.bot_id, s.audiences, ''{work}'', NULL, NULL, NULL, NULL, NULL, NULL) e';

CREATE FUNCTION muninn.memories(
  bot text, person bigint, k integer DEFAULT 50, before bigint DEFAULT NULL,
  tags text[] DEFAULT NULL, kinds text[] DEFAULT NULL, since timestamptz DEFAULT NULL,
  until timestamptz DEFAULT NULL, as_of timestamptz DEFAULT NULL, known_at timestamptz DEFAULT NULL,
  statuses text[] DEFAULT NULL, audience text DEFAULT NULL
) RETURNS SETOF muninn.memory_detail
LANGUAGE plpgsql STABLE
SET search_path = pg_catalog, pg_temp
AS $$
DECLARE
  scope record;
BEGIN
  SELECT * INTO scope FROM muninn.scope(bot, person);
  IF k IS NULL OR k NOT BETWEEN 1 AND 1000 THEN
    RAISE EXCEPTION 'k is %, but must be from 1 to 1000', coalesce(k::text, 'NULL')
      USING ERRCODE = 'invalid_parameter_value',
      HINT = 'For more, page on with before => the last memory_id of the page.';
  END IF;
  PERFORM muninn.check_period(since, until);
  PERFORM muninn.check_statuses(statuses);
  IF audience NOT IN ('personal', 'shared') AND audience !~ '^group:.' THEN
    RAISE EXCEPTION '"%" is no audience', left(audience, 100) USING ERRCODE = 'invalid_parameter_value',
      HINT = 'There are personal, shared and group:KEY.';
  END IF;
  RETURN QUERY SELECT d.* FROM muninn.memory_detail d
    WHERE d.bot_id = scope.bot_id AND d.audience_id = ANY (scope.audiences)
      AND (before IS NULL OR d.memory_id < before)
      AND (memories.audience IS NULL OR d.audience = memories.audience)
      AND d.memory_id IN (SELECT e.id FROM muninn.eligible(scope.bot_id, scope.audiences, memories.tags,
        memories.kinds, since, until, as_of, known_at, statuses) AS e (id))
    ORDER BY d.memory_id DESC LIMIT k;
END
$$;
COMMENT ON FUNCTION muninn.memories(text, bigint, integer, bigint, text[], text[], timestamptz, timestamptz, timestamptz, timestamptz, text[], text) IS
  'The memories that a person may read, newest first, k of them (1 to 1000, default 50); before: the last memory_id of the page before. Conditions as in recall; audience: personal, shared or group:KEY. Errors: 22023 k or a range out of bounds, 42704 unknown bot or person. Example: SELECT memory_id, content FROM muninn.memories(''assistant'', 1, tags => ''{work}'')';

CREATE FUNCTION muninn.forget(bot text, person bigint, memory bigint) RETURNS boolean
LANGUAGE plpgsql
SET search_path = pg_catalog, pg_temp
AS $$
DECLARE
  scope record;
  gone record;
BEGIN
  SELECT * INTO scope FROM muninn.scope(bot, person);
  IF memory IS NULL THEN
    RAISE EXCEPTION 'no memory is named' USING ERRCODE = 'null_value_not_allowed',
      HINT = 'Pass the memory_id that remember, recall or memories returned.';
  END IF;
  SELECT m.audience_id, m.author_id, a.kind INTO gone
  FROM muninn.memory m JOIN muninn.audience a ON a.bot_id = m.bot_id AND a.id = m.audience_id
  WHERE m.bot_id = scope.bot_id AND m.id = memory AND m.audience_id = ANY (scope.audiences)
  FOR UPDATE OF m;
  IF NOT FOUND THEN
    RETURN false;
  END IF;
  IF gone.kind <> 'personal' AND gone.author_id <> person THEN
    RAISE EXCEPTION 'memory % belongs to others too', memory USING ERRCODE = 'insufficient_privilege',
      HINT = 'What is shared can be forgotten by the person who said it.';
  END IF;
  -- The backlog first: a worker that is just storing the embedding holds this
  -- row, and what it stored is then seen and erased below.
  DELETE FROM muninn.embedding_backlog b WHERE b.bot_id = scope.bot_id AND b.memory_id = memory;
  PERFORM muninn.unindex(scope.bot_id, gone.audience_id, ARRAY[memory]);
  DELETE FROM muninn.passage_embedding p
  WHERE p.bot_id = scope.bot_id AND p.audience_id = gone.audience_id AND p.memory_id = memory;
  DELETE FROM muninn.passage p
  WHERE p.bot_id = scope.bot_id AND p.audience_id = gone.audience_id AND p.memory_id = memory;
  DELETE FROM muninn.embedding e WHERE e.bot_id = scope.bot_id AND e.memory_id = memory;
  DELETE FROM muninn.activation_count c WHERE c.bot_id = scope.bot_id AND c.memory_id = memory;
  PERFORM muninn.eval_forget(scope.bot_id, memory);
  UPDATE muninn.memory m SET superseded_by = NULL
  WHERE m.bot_id = scope.bot_id AND m.superseded_by = memory;
  DELETE FROM muninn.memory m WHERE m.bot_id = scope.bot_id AND m.id = memory;
  RETURN true;
END
$$;
COMMENT ON FUNCTION muninn.forget(text, bigint, bigint) IS
  'Erases a memory with its text, vector, postings and counts, and the evaluation questions made from it, in this transaction; true if there was one which the person may read. Errors: 42501 it is shared and somebody else said it, 42704 unknown bot or person. Example: SELECT muninn.forget(''assistant'', 1, 42)';
