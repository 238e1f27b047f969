-- What use teaches: the formulas, links between memories, recalls passed on.

CREATE FUNCTION muninn.now() RETURNS timestamptz
LANGUAGE sql STABLE
RETURN coalesce(nullif(pg_catalog.current_setting('muninn.now', true), '')::timestamptz, pg_catalog.now());
COMMENT ON FUNCTION muninn.now() IS
  'What recall and the tasks take for now: the setting muninn.now, which only superusers change, or the start of the transaction. Errors: 22007 the setting is no time. Example: SELECT muninn.now()';

COMMENT ON FUNCTION muninn.actr_activation(bigint, double precision, double precision) IS
  'Base-level activation of ACT-R, ln(n+1) - d*ln(ageDays/(n+1)): accesses n, age_days since the last of them, at least 0.1, d the exponent of forgetting (Anderson and Schooler 1991). Example: SELECT muninn.actr_activation(3, 4)';
COMMENT ON FUNCTION muninn.temporal_priority(double precision) IS
  'A base-level activation B as a share, 1/(1+e^-B): the column temporal of recall. Example: SELECT muninn.temporal_priority(muninn.actr_activation(3, 4))';
COMMENT ON FUNCTION muninn.hebbian_weight(double precision, integer) IS
  'Weight of a learned link after further recalls that returned both: times 2.25 for each, at most 1; a new one (0) begins at 0.02. Example: SELECT muninn.hebbian_weight(0, 5)';
COMMENT ON FUNCTION muninn.hebbian_weakened(double precision, double precision, double precision) IS
  'Weight of a learned link after days without use: it halves in half_life_days. Example: SELECT muninn.hebbian_weakened(0.5, 30)';
COMMENT ON FUNCTION muninn.beyond_chance(bigint, bigint, bigint, bigint) IS
  'Share of the recalls that returned two memories together which neither chance nor one standard deviation of their count explains, where they were recalled a and b times in so many recalls (and 20 imagined ones). Example: SELECT muninn.beyond_chance(5, 6, 5, 1000)';
COMMENT ON FUNCTION muninn.bayes_confidence(double precision, double precision) IS
  'Bayes'' rule, p*s/(p*s+(1-p)(1-s)): prior p, strength s the probability of such a sign if the memory is true. Example: SELECT muninn.bayes_confidence(0.5, 0.9)';
COMMENT ON FUNCTION muninn.confidence_after(double precision, double precision[]) IS
  'Confidence after all evidence, in any order: Bayes'' rule for each, smoothed by Laplace''s rule away from 0 and 1; NULL where nothing is known (no prior, no evidence). Example: SELECT muninn.confidence_after(0.8, ''{0.9,0.3}'')';
COMMENT ON FUNCTION muninn.retention(double precision, double precision, double precision) IS
  'What is left of a memory after a time, max(floor, e^(-t/S)) (Ebbinghaus 1885): age_days t, stability_days S. Example: SELECT muninn.retention(30, 30)';
COMMENT ON FUNCTION muninn.stability(double precision, bigint) IS
  'Stability of a memory that was recalled so often, days*(1+ln(1+n)). Example: SELECT muninn.stability(30, 5)';
COMMENT ON FUNCTION muninn.activation_ring() IS
  'How many recalls of this database wait in shared memory to be stored, and how many were lost since the server started because nobody stored them in time; no row where the library is not preloaded. Example: SELECT * FROM muninn.activation_ring()';
COMMENT ON FUNCTION muninn.waiting_activations() IS
  'The recalls of this database that wait in shared memory, oldest first. On a standby nobody stores them: pass them to muninn.record_activation on the primary. Example: SELECT * FROM muninn.waiting_activations()';

COMMENT ON FUNCTION muninn.why(text, bigint, bigint, text, integer) IS
  'Why a memory is among the first k answers to a question, or is not, in one row: reason in words; place among all that was found; score, and least_score of the last answer; each factor with its inputs (see recall, explain): relevance from lexical and semantic, temporal from accesses and age_days, association from the memories in linked_from, confidence, retention; repeats: a better memory that says the same. Is not learned from. Errors: 22004, 22023, 42704 unknown bot or person, or no memory that the person may read, whether or not it exists. Example: SELECT reason FROM muninn.why(''assistant'', 1, 42, ''What may the cat not eat?'')';

CREATE FUNCTION muninn.record_activation(
  bot text, person bigint, memories bigint[], recalled_at timestamptz DEFAULT NULL
) RETURNS integer
LANGUAGE plpgsql
SET search_path = pg_catalog, pg_temp
AS $$
DECLARE
  scope record;
  readable bigint[];
BEGIN
  SELECT * INTO scope FROM muninn.scope(bot, person);
  IF cardinality(memories) > 1000 THEN
    RAISE EXCEPTION 'a recall returns at most 1000 memories' USING ERRCODE = 'program_limit_exceeded',
      HINT = 'Pass what one recall returned.';
  END IF;
  IF recalled_at > muninn.now() + interval '1 day' THEN
    RAISE EXCEPTION 'the recall is in the future' USING ERRCODE = 'invalid_parameter_value',
      HINT = 'Pass when it happened, or nothing for now.';
  END IF;
  -- What is not there, or not for this person, teaches nothing.
  SELECT array_agg(u.id ORDER BY u.place) INTO readable
  FROM unnest(memories) WITH ORDINALITY AS u (id, place)
  JOIN muninn.memory m ON m.bot_id = scope.bot_id AND m.id = u.id AND m.audience_id = ANY (scope.audiences)
  WHERE u.place <= 20;
  IF readable IS NULL THEN
    RETURN 0;
  END IF;
  INSERT INTO muninn.activation (bot_id, person_id, memories, recalled_at)
  VALUES (scope.bot_id, person, readable, coalesce(record_activation.recalled_at, muninn.now()));
  RETURN cardinality(readable);
END
$$;
COMMENT ON FUNCTION muninn.record_activation(text, bigint, bigint[], timestamptz) IS
  'Notes that a recall returned these memories, best first, to be learned from: for recalls on a standby, in an application''s cache, or where the library is not preloaded. Of more than 20 the first count. Returns how many of them the person may read. Errors: 22004, 22023 in the future, 42501, 42704 unknown bot or person, 54000. Example: SELECT muninn.record_activation(''assistant'', 1, ''{42,43}'')';

CREATE FUNCTION muninn.require_linkable(bot_id bigint, audiences bigint[], person bigint, a bigint, b bigint, kind text)
RETURNS void
LANGUAGE plpgsql
SET search_path = pg_catalog, pg_temp
AS $$
DECLARE
  one record;
  seen integer := 0;
  own boolean := false;
BEGIN
  IF kind IS NULL OR kind NOT IN ('supports', 'contradicts', 'supersedes', 'refines', 'causes', 'part_of', 'relates_to') THEN
    RAISE EXCEPTION '"%" is no kind of link', left(coalesce(kind, 'NULL'), 100) USING ERRCODE = 'invalid_parameter_value',
      HINT = 'There are supports, contradicts, supersedes, refines, causes, part_of, relates_to.';
  END IF;
  IF a = b THEN
    RAISE EXCEPTION 'a memory cannot be linked to itself' USING ERRCODE = 'invalid_parameter_value',
      HINT = 'Name two memories.';
  END IF;
  FOR one IN
    SELECT m.author_id, n.kind FROM muninn.memory m
    JOIN muninn.audience n ON n.bot_id = m.bot_id AND n.id = m.audience_id
    WHERE m.bot_id = require_linkable.bot_id AND m.id IN (a, b) AND m.audience_id = ANY (audiences)
    ORDER BY m.id FOR KEY SHARE OF m
  LOOP
    seen := seen + 1;
    -- Who has one end to oneself changes nobody else's answers.
    own := own OR one.kind = 'personal' OR one.author_id = person;
  END LOOP;
  IF seen < 2 THEN
    RAISE EXCEPTION 'person % may not read both memories', person USING ERRCODE = 'undefined_object',
      HINT = 'Link ids that muninn.recall or muninn.memories returns to this person.';
  END IF;
  IF NOT own AND NOT muninn.reviews(bot_id, person) THEN
    RAISE EXCEPTION 'both memories belong to others too' USING ERRCODE = 'insufficient_privilege',
      HINT = 'Who said one of them, or a reviewer of the bot, can link them.';
  END IF;
END
$$;
COMMENT ON FUNCTION muninn.require_linkable(bigint, bigint[], bigint, bigint, bigint, text) IS
  'Refuses a link that a person may not state. Part of associate. Errors: 22023, 42501, 42704. Example: SELECT muninn.require_linkable(s.bot_id, s.audiences, 1, 42, 43, ''supports'') FROM muninn.scope(''assistant'', 1) s';

CREATE FUNCTION muninn.associate(
  bot text, person bigint, a bigint, b bigint, kind text DEFAULT 'relates_to', weight double precision DEFAULT 1
) RETURNS boolean
LANGUAGE plpgsql
SET search_path = pg_catalog, pg_temp
AS $$
DECLARE
  scope record;
  made boolean;
BEGIN
  SELECT * INTO scope FROM muninn.scope(bot, person);
  IF weight IS NULL OR NOT (weight > 0 AND weight <= 1) THEN
    RAISE EXCEPTION 'the weight is %, but must be above 0 and at most 1', coalesce(weight::text, 'NULL')
      USING ERRCODE = 'invalid_parameter_value', HINT = 'muninn.dissociate takes a link away.';
  END IF;
  PERFORM muninn.require_linkable(scope.bot_id, scope.audiences, person, a, b, kind);
  INSERT INTO muninn.association AS l (bot_id, a, b, kind, weight, used_at, person_id)
  VALUES (scope.bot_id, associate.a, associate.b, associate.kind, associate.weight, muninn.now(), person)
  ON CONFLICT ON CONSTRAINT association_pkey
  DO UPDATE SET weight = excluded.weight, used_at = excluded.used_at, person_id = excluded.person_id
  RETURNING l.xmax::text = '0' INTO made;
  PERFORM muninn.audit(scope.bot_id, person, 'associate', a, jsonb_build_object('to', b, 'kind', kind));
  RETURN made;
END
$$;
COMMENT ON FUNCTION muninn.associate(text, bigint, bigint, bigint, text, double precision) IS
  'States that memory a is linked to memory b: a question that finds one brings the other to mind. kind: supports, contradicts, supersedes, refines, causes, part_of or relates_to; a link says nothing of what is believed. weight: above 0, at most 1. True if it is new; the same link again takes the new weight. Between two shared memories only who said one of them, or a reviewer. Errors: 22004, 22023, 42501, 42704. Example: SELECT muninn.associate(''assistant'', 1, 42, 43, ''supports'')';

CREATE FUNCTION muninn.dissociate(bot text, person bigint, a bigint, b bigint, kind text DEFAULT 'relates_to') RETURNS boolean
LANGUAGE plpgsql
SET search_path = pg_catalog, pg_temp
AS $$
DECLARE
  scope record;
BEGIN
  SELECT * INTO scope FROM muninn.scope(bot, person);
  PERFORM muninn.require_linkable(scope.bot_id, scope.audiences, person, a, b, kind);
  DELETE FROM muninn.association l
  WHERE l.bot_id = scope.bot_id AND l.a = dissociate.a AND l.b = dissociate.b AND l.kind = dissociate.kind;
  IF NOT FOUND THEN
    RETURN false;
  END IF;
  PERFORM muninn.audit(scope.bot_id, person, 'dissociate', a, jsonb_build_object('to', b, 'kind', kind));
  RETURN true;
END
$$;
COMMENT ON FUNCTION muninn.dissociate(text, bigint, bigint, bigint, text) IS
  'Takes back a stated link; true if there was one. Errors: as associate. Example: SELECT muninn.dissociate(''assistant'', 1, 42, 43, ''supports'')';

CREATE FUNCTION muninn.neighbours(bot text, person bigint, memory bigint, k integer DEFAULT 20)
RETURNS TABLE (memory_id bigint, content text, kind text, outgoing boolean, weight double precision,
               together bigint, used_at timestamptz)
LANGUAGE plpgsql STABLE
SET search_path = pg_catalog, pg_temp
AS $$
DECLARE
  scope record;
  half_life double precision;
BEGIN
  SELECT * INTO scope FROM muninn.scope(bot, person);
  k := coalesce(k, 20);
  IF k NOT BETWEEN 1 AND 1000 THEN
    RAISE EXCEPTION 'k is %, but must be from 1 to 1000', k USING ERRCODE = 'invalid_parameter_value',
      HINT = 'Ask for fewer.';
  END IF;
  PERFORM FROM muninn.memory m
  WHERE m.bot_id = scope.bot_id AND m.id = memory AND m.audience_id = ANY (scope.audiences);
  IF NOT FOUND THEN
    RAISE EXCEPTION 'there is no memory % that person % may read', coalesce(memory::text, 'NULL'), person
      USING ERRCODE = 'undefined_object', HINT = 'It may have been forgotten, or never been shared.';
  END IF;
  half_life := coalesce((scope.settings ->> 'half_life_days')::double precision, 30);
  RETURN QUERY
  SELECT m.id, m.content, l.kind, l.outgoing,
    CASE l.kind WHEN 'learned' THEN
      muninn.hebbian_weakened(l.weight, (extract(epoch FROM muninn.now() - l.used_at) / 86400)::double precision, half_life)
      * muninn.beyond_chance(l.together, coalesce(x.accesses, 0), coalesce(y.accesses, 0), coalesce(least(r.recalls, o.recalls), 0))
    ELSE l.weight END AS counts,
    CASE l.kind WHEN 'learned' THEN l.together END, l.used_at
  FROM (
    SELECT g.b AS other, g.kind, g.kind <> 'learned' AS outgoing, g.weight, g.together, g.used_at FROM muninn.association g
    WHERE g.bot_id = scope.bot_id AND g.a = memory
    UNION ALL
    SELECT g.a, g.kind, false, g.weight, g.together, g.used_at FROM muninn.association g
    WHERE g.bot_id = scope.bot_id AND g.b = memory) l
  JOIN muninn.memory m ON m.bot_id = scope.bot_id AND m.id = l.other AND m.audience_id = ANY (scope.audiences)
  JOIN muninn.memory h ON h.bot_id = scope.bot_id AND h.id = memory
  LEFT JOIN muninn.activation_count x ON x.bot_id = scope.bot_id AND x.memory_id = memory
  LEFT JOIN muninn.activation_count y ON y.bot_id = scope.bot_id AND y.memory_id = l.other
  LEFT JOIN muninn.recall_count r ON r.bot_id = scope.bot_id AND r.audience_id = h.audience_id
  LEFT JOIN muninn.recall_count o ON o.bot_id = scope.bot_id AND o.audience_id = m.audience_id
  ORDER BY counts DESC, m.id, l.kind LIMIT k;
END
$$;
COMMENT ON FUNCTION muninn.neighbours(text, bigint, bigint, integer) IS
  'What a memory is linked to, strongest first, as far as the person may read it: learned from recalls that returned both (together says how many; weight as it counts now, weakened by time and without what chance explains), or stated (outgoing: from this memory). k: at most so many, 20 by default. Errors: 22004, 22023, 42501, 42704. Example: SELECT * FROM muninn.neighbours(''assistant'', 1, 42)';
