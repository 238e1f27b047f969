-- Looking at memories and erasing them. remember and recall are in the library.

CREATE VIEW muninn.memory_detail AS
SELECT m.bot_id, m.audience_id, m.id AS memory_id, m.content, m.summary, m.tags, m.kind,
       muninn.audience_name(a.kind, a.key) AS audience, m.author_id, m.status, m.confidence, m.claim,
       m.created_at, m.ended_at, m.valid_from, m.valid_to, m.superseded_by, m.source,
       -- The key of a conversation belongs to those who may read that.
       CASE WHEN t.audience_id OPERATOR(pg_catalog.=) m.audience_id THEN t.key END AS thread,
       m.thread_position, m.language, m.key, m.version,
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

-- A memory as a person may see it: its key is its author's alone. As it was believed
-- at an instant: status and validity of then, and no successor that came later.
CREATE FUNCTION muninn.as_known(detail muninn.memory_detail, known_at timestamptz, reader bigint) RETURNS muninn.memory_detail
LANGUAGE plpgsql STABLE
SET search_path = pg_catalog, pg_temp
AS $$
DECLARE
  believed record;
BEGIN
  IF detail.key IS NOT NULL AND NOT muninn.is_same_person(detail.author_id, reader) THEN
    detail.key := NULL;
  END IF;
  IF known_at IS NULL THEN
    RETURN detail;
  END IF;
  SELECT b.status, b.valid_from, b.valid_to INTO believed FROM muninn.memory_belief b
  WHERE b.bot_id = detail.bot_id AND b.memory_id = detail.memory_id
    AND b.known_from <= known_at AND b.known_to > known_at;
  IF FOUND THEN
    detail.status := believed.status;
    detail.valid_from := believed.valid_from;
    detail.valid_to := believed.valid_to;
    detail.superseded_by := NULL;
    detail.ended_at := NULL;
  END IF;
  RETURN detail;
END
$$;
COMMENT ON FUNCTION muninn.as_known(muninn.memory_detail, timestamptz, bigint) IS
  'A memory with the status and validity that were believed of it at an instant (NULL is now), and with its key if the reader is its author. Example: SELECT (muninn.as_known(m, ''2026-01-01'', 1)).status FROM muninn.memories(''assistant'', 1) m';

CREATE FUNCTION muninn.memory(
  bot text, person bigint, memory bigint, as_of timestamptz DEFAULT NULL, known_at timestamptz DEFAULT NULL
) RETURNS SETOF muninn.memory_detail
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
  RETURN QUERY SELECT t.* FROM muninn.memory_detail d CROSS JOIN LATERAL muninn.as_known(d, known_at, person) t
    WHERE d.bot_id = scope.bot_id AND d.memory_id = memory AND d.audience_id = ANY (scope.audiences)
      AND (as_of IS NULL OR (t.valid_from <= as_of AND (t.valid_to IS NULL OR t.valid_to > as_of)))
      AND (known_at IS NULL OR d.created_at <= known_at);
END
$$;
COMMENT ON FUNCTION muninn.memory(text, bigint, bigint, timestamptz, timestamptz) IS
  'One memory with all that belongs to it, in any state; no row if there is none of that id which the person may read. as_of: only if it was true at that instant; known_at: as it was believed then, no row if it was not known yet. Errors: 22004, 42501, 42704 unknown bot or person. Example: SELECT content FROM muninn.memory(''assistant'', 1, 42)';

CREATE FUNCTION muninn.history(bot text, person bigint, memory bigint)
RETURNS TABLE (at timestamptz, action text, memory_id bigint, content text, status text, valid_from timestamptz,
  valid_to timestamptz, by_person bigint, reason text)
LANGUAGE plpgsql STABLE
SET search_path = pg_catalog, pg_temp
AS $$
DECLARE
  scope record;
BEGIN
  SELECT * INTO scope FROM muninn.scope(bot, person);
  RETURN QUERY
    WITH RECURSIVE line AS (
      SELECT m.id, m.superseded_by FROM muninn.memory m
      WHERE m.bot_id = scope.bot_id AND m.id = memory AND m.audience_id = ANY (scope.audiences)
      UNION
      -- Each has an index of its own; an OR would read all memories of the bot.
      SELECT n.id, n.superseded_by FROM line l CROSS JOIN LATERAL (
        SELECT m.id, m.superseded_by, m.audience_id FROM muninn.memory m
        WHERE m.bot_id = scope.bot_id AND m.superseded_by = l.id
        UNION ALL
        SELECT m.id, m.superseded_by, m.audience_id FROM muninn.memory m
        WHERE m.bot_id = scope.bot_id AND m.id = l.superseded_by) n
      WHERE n.audience_id = ANY (scope.audiences)),
    told AS (
      SELECT b.known_from AS at, b.memory_id AS id, b.status, b.valid_from, b.valid_to
      FROM muninn.memory_belief b JOIN line l ON b.bot_id = scope.bot_id AND b.memory_id = l.id
      UNION ALL
      SELECT m.believed_from, m.id, m.status, m.valid_from, m.valid_to
      FROM muninn.memory m JOIN line l ON m.bot_id = scope.bot_id AND m.id = l.id)
    SELECT t.at, coalesce(e.action, 'remember'), t.id, m.content, t.status, t.valid_from, t.valid_to,
      coalesce(e.person_id, m.author_id),
      -- A reason was given to those who could read the memory then.
      CASE WHEN muninn.is_same_person(e.person_id, person) OR muninn.is_same_person(m.author_id, person)
             OR coalesce(moved.from_audience, m.audience_id) = ANY (scope.audiences) THEN e.details ->> 'reason' END
    FROM told t
    JOIN muninn.memory m ON m.bot_id = scope.bot_id AND m.id = t.id
    LEFT JOIN LATERAL (
      SELECT v.action, v.person_id, v.details, v.at, v.id FROM (
        SELECT s.action, s.person_id, s.details, s.at, s.id FROM muninn.audit_event s
        WHERE s.bot_id = scope.bot_id AND s.memory_id = t.id
        UNION ALL
        SELECT p.action, p.person_id, p.details, p.at, p.id FROM muninn.audit_pending p
        WHERE p.bot_id = scope.bot_id AND p.memory_id = t.id) v
      WHERE v.at >= t.at AND t.at > m.created_at AND v.action IN ('confirm', 'reject', 'correct', 'supersede', 'retract', 'expire')
      ORDER BY v.at, v.id LIMIT 1) e ON true
    -- Where the memory was then: from where it was moved next; nowhere since, here.
    LEFT JOIN LATERAL (
      SELECT (v.details ->> 'from')::bigint AS from_audience FROM (
        SELECT s.action, s.details, s.at, s.id FROM muninn.audit_event s
        WHERE s.bot_id = scope.bot_id AND s.memory_id = t.id
        UNION ALL
        SELECT p.action, p.details, p.at, p.id FROM muninn.audit_pending p
        WHERE p.bot_id = scope.bot_id AND p.memory_id = t.id) v
      WHERE v.action IN ('share', 'unshare') AND (v.at, v.id) > (e.at, e.id)
      ORDER BY v.at, v.id LIMIT 1) moved ON true
    ORDER BY t.at, t.id;
END
$$;
COMMENT ON FUNCTION muninn.history(text, bigint, bigint) IS
  'What was believed over time about a memory and those that took its place, or whose place it took, oldest first: what was done, by whom, why, and what was believed from then on. Only memories that the person may read; reason: only of what was done while the person could read it, and to the author. Errors: 42501, 42704. Example: SELECT at, action, content, status FROM muninn.history(''assistant'', 1, 42)';

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
  -- What was believed at known_at, where that is not what is believed now.
  LEFT JOIN muninn.memory_belief b ON eligible.known_at IS NOT NULL
    AND m.believed_from OPERATOR(pg_catalog.>) eligible.known_at
    AND b.bot_id OPERATOR(pg_catalog.=) m.bot_id AND b.memory_id OPERATOR(pg_catalog.=) m.id
    AND b.known_from OPERATOR(pg_catalog.<=) eligible.known_at AND b.known_to OPERATOR(pg_catalog.>) eligible.known_at
  CROSS JOIN LATERAL (SELECT
    CASE WHEN b.memory_id IS NULL THEN m.status ELSE b.status END AS status,
    CASE WHEN b.memory_id IS NULL THEN m.valid_from ELSE b.valid_from END AS valid_from,
    CASE WHEN b.memory_id IS NULL THEN m.valid_to ELSE b.valid_to END AS valid_to,
    CASE WHEN b.memory_id IS NULL THEN m.ended_at IS NULL ELSE true END AS believed) AS t
  WHERE m.bot_id OPERATOR(pg_catalog.=) eligible.bot_id
    AND m.audience_id OPERATOR(pg_catalog.=) ANY (eligible.audiences)
    AND (eligible.tags IS NULL OR m.tags OPERATOR(pg_catalog.&&) eligible.tags)
    AND (eligible.kinds IS NULL OR m.kind OPERATOR(pg_catalog.=) ANY (eligible.kinds))
    AND (eligible.since IS NULL OR t.valid_from OPERATOR(pg_catalog.>=) eligible.since)
    AND (eligible.until IS NULL OR t.valid_from OPERATOR(pg_catalog.<) eligible.until)
    AND (eligible.as_of IS NULL OR (t.valid_from OPERATOR(pg_catalog.<=) eligible.as_of
         AND (t.valid_to IS NULL OR t.valid_to OPERATOR(pg_catalog.>) eligible.as_of)))
    AND (eligible.known_at IS NULL OR m.believed_from OPERATOR(pg_catalog.<=) eligible.known_at OR b.memory_id IS NOT NULL)
    AND CASE WHEN eligible.statuses IS NOT NULL THEN t.status OPERATOR(pg_catalog.=) ANY (eligible.statuses)
         -- What another took the place of was true in its time.
         ELSE t.status OPERATOR(pg_catalog.=) ANY ('{candidate,verified}'::text[])
           OR (eligible.as_of IS NOT NULL AND t.status OPERATOR(pg_catalog.=) 'superseded' AND t.believed) END;
END;
COMMENT ON FUNCTION muninn.eligible(bigint, bigint[], text[], text[], timestamptz, timestamptz, timestamptz, timestamptz, text[]) IS
  'Ids of the memories of a bot''s audiences that meet all given conditions; NULL is no condition, statuses NULL is candidate and verified, with as_of also what was superseded since then. Called with what muninn.scope returns. Example: SELECT e.* FROM muninn.scope(''assistant'', 1) s, muninn.eligible(s.bot_id, s.audiences, ''{work}'', NULL, NULL, NULL, NULL, NULL, NULL) e';

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
  IF k NOT BETWEEN 1 AND 1000 THEN
    RAISE EXCEPTION 'k is %, but must be from 1 to 1000', k
      USING ERRCODE = 'invalid_parameter_value',
      HINT = 'For more, page on with before => the last memory_id of the page.';
  END IF;
  PERFORM muninn.check_period(since, until);
  PERFORM muninn.check_statuses(statuses);
  IF audience NOT IN ('personal', 'shared') AND audience !~ '^group:.' THEN
    RAISE EXCEPTION '"%" is no audience', left(audience, 100) USING ERRCODE = 'invalid_parameter_value',
      HINT = 'There are personal, shared and group:KEY.';
  END IF;
  RETURN QUERY SELECT t.* FROM muninn.memory_detail d CROSS JOIN LATERAL muninn.as_known(d, known_at, person) t
    WHERE d.bot_id = scope.bot_id AND d.audience_id = ANY (scope.audiences)
      AND (before IS NULL OR d.memory_id < before)
      AND (memories.audience IS NULL OR d.audience = memories.audience)
      AND d.memory_id IN (SELECT e.id FROM muninn.eligible(scope.bot_id, scope.audiences, memories.tags,
        memories.kinds, since, until, as_of, known_at, statuses) AS e (id))
    ORDER BY d.memory_id DESC LIMIT coalesce(k, 50);
END
$$;
COMMENT ON FUNCTION muninn.memories(text, bigint, integer, bigint, text[], text[], timestamptz, timestamptz, timestamptz, timestamptz, text[], text) IS
  'The memories that a person may read, newest first, k of them (1 to 1000, default 50); before: the last memory_id of the page before. Conditions as in recall; audience: personal, shared or group:KEY. Errors: 22023 k or a range out of bounds, 42501, 42704 unknown bot or person. Example: SELECT memory_id, content FROM muninn.memories(''assistant'', 1, tags => ''{work}'')';
