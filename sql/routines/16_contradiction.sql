-- Contradictions: looking at what was found, and deciding it.

CREATE FUNCTION muninn.contradictions(
  bot text, person bigint, states text[] DEFAULT '{suspected,confirmed}', memory bigint DEFAULT NULL,
  k integer DEFAULT 50, after bigint DEFAULT 0
) RETURNS TABLE (contradiction bigint, relation text, level text, state text, score double precision,
  a bigint, a_content text, a_words text, b bigint, b_content text, b_words text, audience text,
  winner bigint, reason text, found_at timestamptz, decided_at timestamptz, decided_by bigint, decided_source text)
LANGUAGE plpgsql STABLE
SET search_path = pg_catalog, pg_temp
AS $$
DECLARE
  scope record;
  bad text;
BEGIN
  SELECT * INTO scope FROM muninn.scope(bot, person);
  IF k IS NULL OR k NOT BETWEEN 1 AND 1000 THEN
    RAISE EXCEPTION 'k is %, but must be from 1 to 1000', coalesce(k::text, 'NULL')
      USING ERRCODE = 'invalid_parameter_value', HINT = 'For more, page on with after => the last contradiction.';
  END IF;
  SELECT s INTO bad FROM unnest(states) s
  WHERE s IS NULL OR s NOT IN ('suspected', 'confirmed', 'dismissed', 'resolved') LIMIT 1;
  IF FOUND OR states IS NULL THEN
    RAISE EXCEPTION '"%" is no state of a contradiction', left(coalesce(bad, 'NULL'), 100)
      USING ERRCODE = 'invalid_parameter_value', HINT = 'There are suspected, confirmed, dismissed and resolved.';
  END IF;
  RETURN QUERY
    SELECT c.id, c.relation, c.level, c.state, c.score, c.a, ma.content, c.a_words, c.b, mb.content, c.b_words,
      muninn.audience_name(u.kind, u.key), c.winner, c.reason, c.found_at, c.decided_at, c.decided_by, c.decided_source
    FROM muninn.contradiction c
    JOIN muninn.audience u ON u.bot_id = c.bot_id AND u.id = c.audience_id
    -- Of a memory that has moved nothing is shown, whatever the row says.
    JOIN muninn.memory ma ON ma.bot_id = c.bot_id AND ma.id = c.a AND ma.audience_id = c.audience_id
    JOIN muninn.memory mb ON mb.bot_id = c.bot_id AND mb.id = c.b AND mb.audience_id = c.audience_id
    WHERE c.bot_id = scope.bot_id AND c.audience_id = ANY (scope.audiences) AND c.state = ANY (states)
      AND c.id > coalesce(contradictions.after, 0)
      AND (contradictions.memory IS NULL OR contradictions.memory IN (c.a, c.b))
    ORDER BY c.id LIMIT contradictions.k;
END
$$;
COMMENT ON FUNCTION muninn.contradictions(text, bigint, text[], bigint, integer, bigint) IS
  'Pairs of memories that the person may read and that cannot both be true, or of which one is news of the other, with the words that conflict, oldest first. states: suspected, confirmed, dismissed, resolved; memory: only with this one; k of them (1 to 1000), after: the last of the page before. Errors: 22023, 42501, 42704. Example: SELECT contradiction, a_words, b_words FROM muninn.contradictions(''assistant'', 1)';

-- The person second, as this is no verb but a part of three.
CREATE FUNCTION muninn.take_contradiction(
  contradiction bigint, bot text, person bigint,
  OUT bot_id bigint, OUT a bigint, OUT b bigint, OUT relation text, OUT state text
)
LANGUAGE plpgsql
SET search_path = pg_catalog, pg_temp
AS $$
DECLARE
  scope record;
BEGIN
  SELECT * INTO scope FROM muninn.scope(bot, person);
  IF contradiction IS NULL THEN
    RAISE EXCEPTION 'no contradiction is named' USING ERRCODE = 'null_value_not_allowed',
      HINT = 'Pass the number that muninn.contradictions lists.';
  END IF;
  bot_id := scope.bot_id;
  SELECT c.a, c.b INTO a, b FROM muninn.contradiction c
  WHERE c.bot_id = take_contradiction.bot_id AND c.id = contradiction AND c.audience_id = ANY (scope.audiences);
  IF FOUND THEN
    -- The memories first, in the order of their ids, as everybody locks them.
    PERFORM FROM muninn.memory m WHERE m.bot_id = take_contradiction.bot_id AND m.id IN (a, b)
    ORDER BY m.id FOR NO KEY UPDATE;
    SELECT c.relation, c.state INTO relation, state FROM muninn.contradiction c
    WHERE c.bot_id = take_contradiction.bot_id AND c.id = contradiction AND c.audience_id = ANY (scope.audiences)
    FOR NO KEY UPDATE;
  END IF;
  IF NOT FOUND THEN
    RAISE EXCEPTION 'there is no contradiction % that person % may read', contradiction, person
      USING ERRCODE = 'undefined_object', HINT = 'One of its memories may have been forgotten, moved or changed; see muninn.contradictions.';
  END IF;
  IF state = 'resolved' THEN
    RAISE EXCEPTION 'contradiction % is resolved', contradiction
      USING ERRCODE = 'object_not_in_prerequisite_state', HINT = 'muninn.history(bot, person, memory) tells how; remember anew what is true after all.';
  END IF;
  -- Who may decide about both memories may decide about the pair.
  PERFORM muninn.take(bot, person, a, 'retract', NULL);
  PERFORM muninn.take(bot, person, b, 'retract', NULL);
END
$$;
COMMENT ON FUNCTION muninn.take_contradiction(bigint, text, bigint) IS
  'Locks a contradiction and its memories for a decision of a person, who has to be one who may decide about both memories. Errors: 22004, 40001 changed meanwhile, 42501, 42704, 55000. Part of confirm_contradiction, dismiss_contradiction and resolve_contradiction. Example: SELECT t.state FROM muninn.contradictions(''assistant'', 1) c, muninn.take_contradiction(c.contradiction, ''assistant'', 1) t';

CREATE FUNCTION muninn.decide_contradiction(
  bot_id bigint, contradiction bigint, person bigint, state text, winner bigint, reason text, source text
) RETURNS void
LANGUAGE sql
SET search_path = pg_catalog, pg_temp
BEGIN ATOMIC
  UPDATE muninn.contradiction c SET state = decide_contradiction.state, winner = decide_contradiction.winner,
    reason = muninn.check_reason(decide_contradiction.reason), decided_at = clock_timestamp(),
    decided_by = decide_contradiction.person, decided_source = muninn.check_reason(decide_contradiction.source)
  WHERE c.bot_id OPERATOR(pg_catalog.=) decide_contradiction.bot_id
    AND c.id OPERATOR(pg_catalog.=) decide_contradiction.contradiction;
END;
COMMENT ON FUNCTION muninn.decide_contradiction(bigint, bigint, bigint, text, bigint, text, text) IS
  'Keeps what was decided about a contradiction, by whom and why. Part of its verbs. Errors: 54000 a reason of more than 1,000 bytes. Example: SELECT muninn.decide_contradiction(1, 1, 1, ''dismissed'', NULL, ''two cats'', NULL)';

CREATE FUNCTION muninn.confirm_contradiction(
  bot text, person bigint, contradiction bigint, reason text DEFAULT NULL, source text DEFAULT NULL
) RETURNS boolean
LANGUAGE plpgsql
SET search_path = pg_catalog, pg_temp
AS $$
DECLARE
  taken record;
BEGIN
  SELECT * INTO taken FROM muninn.take_contradiction(contradiction, bot, person);
  IF taken.state = 'confirmed' THEN
    RETURN false;
  END IF;
  PERFORM muninn.decide_contradiction(taken.bot_id, contradiction, person, 'confirmed', NULL, reason, source);
  PERFORM muninn.add_evidence(taken.bot_id, taken.a, 'contradiction', format('memory:%s', taken.b), person, 0.3);
  PERFORM muninn.add_evidence(taken.bot_id, taken.b, 'contradiction', format('memory:%s', taken.a), person, 0.3);
  PERFORM muninn.audit(taken.bot_id, person, 'confirm_contradiction', taken.a, jsonb_build_object(
    'contradiction', contradiction, 'by', taken.b, 'reason', muninn.check_reason(reason), 'source', muninn.check_reason(source)));
  RETURN true;
END
$$;
COMMENT ON FUNCTION muninn.confirm_contradiction(text, bigint, bigint, text, text) IS
  'Says that two memories do contradict each other: from then on each is evidence against the other, until one of them is resolved to be right; true if that is new. source: who found out, if that was not the person, for instance a model. By whoever may decide about both memories. Errors: 22004, 40001 changed meanwhile, 42501, 42704, 54000, 55000 it is resolved. Example: SELECT muninn.confirm_contradiction(''assistant'', 1, c.contradiction) FROM muninn.contradictions(''assistant'', 1) c';

CREATE FUNCTION muninn.dismiss_contradiction(
  bot text, person bigint, contradiction bigint, reason text DEFAULT NULL, source text DEFAULT NULL
) RETURNS boolean
LANGUAGE plpgsql
SET search_path = pg_catalog, pg_temp
AS $$
DECLARE
  taken record;
BEGIN
  SELECT * INTO taken FROM muninn.take_contradiction(contradiction, bot, person);
  IF taken.state = 'dismissed' THEN
    RETURN false;
  END IF;
  PERFORM muninn.decide_contradiction(taken.bot_id, contradiction, person, 'dismissed', NULL, reason, source);
  -- What its confirmation, or a claim, made of it.
  DELETE FROM muninn.evidence e WHERE e.bot_id = taken.bot_id AND e.kind = 'contradiction'
    AND ((e.memory_id = taken.a AND e.source = format('memory:%s', taken.b))
      OR (e.memory_id = taken.b AND e.source = format('memory:%s', taken.a)));
  PERFORM muninn.audit(taken.bot_id, person, 'dismiss_contradiction', taken.a, jsonb_build_object(
    'contradiction', contradiction, 'by', taken.b, 'reason', muninn.check_reason(reason), 'source', muninn.check_reason(source)));
  RETURN true;
END
$$;
COMMENT ON FUNCTION muninn.dismiss_contradiction(text, bigint, bigint, text, text) IS
  'Says that two memories can both be true; they are no evidence against each other any more, and the pair is not suspected again. True if that is new. Arguments and errors as for confirm_contradiction. Example: SELECT muninn.dismiss_contradiction(''assistant'', 1, c.contradiction, ''two cats'') FROM muninn.contradictions(''assistant'', 1) c';

CREATE FUNCTION muninn.resolve_contradiction(
  bot text, person bigint, contradiction bigint, winner bigint, reason text
) RETURNS text
LANGUAGE plpgsql
SET search_path = pg_catalog, pg_temp
AS $$
DECLARE
  taken record;
  loser bigint;
  verb text;
BEGIN
  SELECT * INTO taken FROM muninn.take_contradiction(contradiction, bot, person);
  IF winner IS NULL OR muninn.check_reason(reason) IS NULL THEN
    RAISE EXCEPTION 'a winner and a reason have to be named' USING ERRCODE = 'null_value_not_allowed',
      HINT = 'For instance: muninn.resolve_contradiction(bot, person, contradiction, winner => 43, reason => ''asked her'').';
  ELSIF winner NOT IN (taken.a, taken.b) THEN
    RAISE EXCEPTION 'memory % is none of the two', winner USING ERRCODE = 'invalid_parameter_value',
      HINT = format('Name memory %s or %s, or remember what is right and retract both.', taken.a, taken.b);
  END IF;
  loser := CASE winner WHEN taken.a THEN taken.b ELSE taken.a END;
  PERFORM muninn.decide_contradiction(taken.bot_id, contradiction, person, 'resolved', winner, reason, NULL);
  -- News does not make it false what was so before; a contradiction does.
  IF taken.relation = 'update' THEN
    verb := 'supersede';
    PERFORM muninn.supersede(bot, person, loser, winner, reason => resolve_contradiction.reason);
  ELSE
    verb := 'retract';
    PERFORM muninn.retract(bot, person, loser, reason => resolve_contradiction.reason);
  END IF;
  -- Who was refuted speaks no more against who was right.
  DELETE FROM muninn.evidence e WHERE e.bot_id = taken.bot_id AND e.memory_id = winner
    AND e.kind = 'contradiction' AND e.source = format('memory:%s', loser);
  PERFORM muninn.audit(taken.bot_id, person, 'resolve_contradiction', winner, jsonb_build_object(
    'contradiction', contradiction, 'loser', loser, 'verb', verb, 'reason', muninn.check_reason(reason)));
  RETURN verb;
END
$$;
COMMENT ON FUNCTION muninn.resolve_contradiction(text, bigint, bigint, bigint, text) IS
  'Decides which of two memories is right, and why: the other one is superseded by it where it was true before (relation update), retracted otherwise; returns which. By whoever may decide about both memories. Errors: 22004, 22023 the winner is none of the two, 40001 changed meanwhile, 42501, 42704, 54000, 55000 it is resolved. Example: SELECT muninn.resolve_contradiction(''assistant'', 1, c.contradiction, c.b, ''asked her'') FROM muninn.contradictions(''assistant'', 1) c';

CREATE FUNCTION muninn.near_duplicates(bot text, person bigint, memory bigint)
RETURNS TABLE (memory_id bigint, content text, audience text, status text, found_at timestamptz)
LANGUAGE plpgsql STABLE
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
  RETURN QUERY
    SELECT m.id, m.content, muninn.audience_name(u.kind, u.key), m.status, p.found_at
    FROM (SELECT d.audience_id, d.b AS other, d.found_at FROM muninn.near_duplicate d
          WHERE d.bot_id = scope.bot_id AND d.a = near_duplicates.memory
          UNION ALL
          SELECT d.audience_id, d.a, d.found_at FROM muninn.near_duplicate d
          WHERE d.bot_id = scope.bot_id AND d.b = near_duplicates.memory) p
    JOIN muninn.memory m ON m.bot_id = scope.bot_id AND m.id = p.other AND m.audience_id = p.audience_id
    JOIN muninn.audience u ON u.bot_id = m.bot_id AND u.id = m.audience_id
    WHERE p.audience_id = ANY (scope.audiences) ORDER BY m.id;
END
$$;
COMMENT ON FUNCTION muninn.near_duplicates(text, bigint, bigint) IS
  'The memories that say the same as this one in almost the same words, as far as the worker has compared them and the person may read them. Errors: 22004, 42501, 42704 unknown bot or person. Example: SELECT memory_id, content FROM muninn.near_duplicates(''assistant'', 1, 42)';
