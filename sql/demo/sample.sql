-- A sample to try pg_muninn with: three people, two bots, 295 statements from January to November 2026.
-- Everybody and everything in it is made up. Load it with
--
--     psql -X -q -f sql/demo/sample.sql
--
-- and ask about it with sql/demo/questions.sql. Every statement has a key of its own, so loading it
-- a second time changes nothing.
--
-- The people: Anna (product lead; writes English and Norwegian), Ben (backend; English, with some
-- Chinese and Japanese), Chiara (support, later design; English, German, some Arabic).
-- The bots:   huginn, a personal assistant for each of them; desk, the assistant of their team.
-- Who reads:  personal       the one who said it, talking to the same bot
--             shared         everybody who may use that bot
--             group:kitchen  Anna and Chiara (huginn)
--             group:party    Anna and Ben, planning a surprise for Chiara (huginn)
--             group:oncall   Ben and Chiara (desk)

\set ON_ERROR_STOP on
SET client_encoding = 'UTF8';
SET timezone = 'Europe/Oslo';
\pset format unaligned
\pset tuples_only on

-- Bots, once: a bot that exists already stays as it is.
DO $$
BEGIN
  PERFORM muninn.create_bot(
    bot      => 'huginn',
    persona  => 'You are Huginn, a calm and attentive personal assistant. You answer in the language you are asked in.',
    settings => '{}');
EXCEPTION WHEN unique_violation OR duplicate_object THEN NULL;
END $$;

DO $$
BEGIN
  PERFORM muninn.create_bot(
    bot      => 'desk',
    persona  => 'You are Desk, the work assistant of the Ferrypost team. You are brief, and you name ticket numbers and versions.',
    settings => '{}');
EXCEPTION WHEN unique_violation OR duplicate_object THEN NULL;
END $$;

-- People: found, or made.
SET client_min_messages = warning;
DROP TABLE IF EXISTS pg_temp.demo_people;
RESET client_min_messages;

CREATE TEMP TABLE demo_people AS
SELECT p.who, muninn.person(provider => 'demo', subject => p.who, name => p.name) AS id
FROM (VALUES ('anna', 'Anna'), ('ben', 'Ben'), ('chiara', 'Chiara')) AS p(who, name);

-- Groups, with two of the three in each.
SELECT muninn.join_group(bot => g.bot, person => p.id, key => g.key) AS "group"
FROM (VALUES ('huginn', 'kitchen', 'anna'), ('huginn', 'kitchen', 'chiara'),
             ('huginn', 'party',   'anna'), ('huginn', 'party',   'ben'),
             ('desk',   'oncall',  'ben'),  ('desk',   'oncall',  'chiara')) AS g(bot, key, who)
JOIN demo_people AS p USING (who)
\g /dev/null

-- What they said, month by month. One row: key, when, bot, who, thread, audience, tags, and the words.

---------------------------------------------------------------------------------------------------
-- January 2026
---------------------------------------------------------------------------------------------------

SELECT format('  %-10s %3s statements  %6s s', 'January', count(said.id),
              round(extract(epoch FROM clock_timestamp() - statement_timestamp())::numeric, 1))
FROM (
  SELECT muninn.remember(bot => s.bot, person => p.id, content => s.content, tags => s.tags::text[],
                         audience => s.audience, valid_from => s.said::timestamptz, source => 'demo',
                         thread => s.thread, key => s.key) AS id
  FROM (VALUES
    -- 2026-01-04 hello
    ('demo-0001', '2026-01-04 19:02', 'huginn', 'anna', '2026-01-04 hello', 'personal', '{family,home}',
     'I live in Sandviken, in the yellow wooden house at Måkestien 48, with my husband Jonas and our daughter Liv.'),
    ('demo-0002', '2026-01-04 19:03', 'huginn', 'anna', '2026-01-04 hello', 'personal', '{family}',
     'Liv is seven and in second grade at the school on the hill; her teacher is called Ragnhild.'),
    ('demo-0003', '2026-01-04 19:05', 'huginn', 'anna', '2026-01-04 hello', 'personal', '{pets}',
     'We have a grey cat called Pelle who only drinks from the bathroom tap.'),
    ('demo-0004', '2026-01-04 19:06', 'huginn', 'anna', '2026-01-04 hello', 'personal', '{health,allergy}',
     'Liv breaks out in hives whenever she eats cashews or walnuts, so please never suggest them.'),
    ('demo-0005', '2026-01-04 19:08', 'huginn', 'anna', '2026-01-04 hello', 'personal', '{preference}',
     'Don''t put anything in my calendar before nine, mornings belong to the school run.'),
    ('demo-0006', '2026-01-04 19:09', 'huginn', 'anna', '2026-01-04 hello', 'personal', '{contact}',
     'My private mail is anna.berge@example.org and my phone number is +47 00 55 12 84.'),

    -- 2026-01-06 first steps
    ('demo-0007', '2026-01-06 08:15', 'huginn', 'ben', '2026-01-06 first steps', 'personal', '{family}',
     'I''m Ben. I live alone with a beagle called Biscuit; my sister Mei is in Taipei and my parents are in Leeds.'),
    ('demo-0008', '2026-01-06 08:17', 'huginn', 'ben', '2026-01-06 first steps', 'personal', '{preference,coffee}',
     'I take my coffee black, no sugar, two cups before ten.'),
    ('demo-0009', '2026-01-06 08:19', 'huginn', 'ben', '2026-01-06 first steps', 'personal', '{family,中文}',
     '我奶奶住在台中，每个星期天早上我都给她打电话。'),
    ('demo-0010', '2026-01-06 08:21', 'huginn', 'ben', '2026-01-06 first steps', 'personal', '{language}',
     'I''m learning Mandarin properly this year, 30 minutes every evening, so quiz me on characters when I ask.'),
    ('demo-0011', '2026-01-06 08:24', 'huginn', 'ben', '2026-01-06 first steps', 'personal', '{health,allergy}',
     'I''m allergic to penicillin, it gave me a swollen face when I was twelve.'),

    -- 2026-01-07 kennenlernen
    ('demo-0012', '2026-01-07 21:10', 'huginn', 'chiara', '2026-01-07 kennenlernen', 'personal', '{family}',
     'Ich komme aus Basel und wohne seit vier Jahren mit meinem Freund Samir in Bergen, im Stadtteil Møhlenpris.'),
    ('demo-0013', '2026-01-07 21:12', 'huginn', 'chiara', '2026-01-07 kennenlernen', 'personal', '{pets}',
     'Meine Schildkröte heißt Archimedes, ist 31 Jahre alt und hält bis März Winterschlaf im Kühlschrank.'),
    ('demo-0014', '2026-01-07 21:13', 'huginn', 'chiara', '2026-01-07 kennenlernen', 'personal', '{preference,food}',
     'Ich esse kein Fleisch, aber Fisch ist in Ordnung.'),
    ('demo-0015', '2026-01-07 21:15', 'huginn', 'chiara', '2026-01-07 kennenlernen', 'personal', '{family,birthday}',
     'Mein Geburtstag ist der 19. September; dieses Jahr werde ich vierzig und hätte am liebsten einen ruhigen Abend ohne Trubel.'),
    ('demo-0016', '2026-01-07 21:18', 'huginn', 'chiara', '2026-01-07 kennenlernen', 'personal', '{language}',
     'You can answer me in English or German, I switch without noticing.'),

    -- 2026-01-08 team setup
    ('demo-0017', '2026-01-08 09:02', 'desk', 'anna', '2026-01-08 team setup', 'shared', '{team}',
     'Our stand-up is every weekday at 9:15 in the room Skagerrak, fifteen minutes at most.'),
    ('demo-0018', '2026-01-08 09:04', 'desk', 'anna', '2026-01-08 team setup', 'shared', '{team,product}',
     'Ferrypost is our product: shops hand us parcels and we put them on scheduled ferries along the coast.'),
    ('demo-0019', '2026-01-08 09:05', 'desk', 'anna', '2026-01-08 team setup', 'shared', '{office}',
     'Visitors use the wireless network Kaivegen-Guest; the code is on the slate beside the reception desk and changes every Monday.'),
    ('demo-0020', '2026-01-08 09:07', 'desk', 'anna', '2026-01-08 team setup', 'shared', '{office,expenses}',
     'Travel costs go into the form at /srv/share/forms/reise-2026.xlsx and have to be in by the fifth of the following month.'),
    ('demo-0021', '2026-01-08 09:08', 'desk', 'anna', '2026-01-08 team setup', 'shared', '{team}',
     'Anna leads the product, Ben looks after the backend, Chiara runs customer support.'),
    ('demo-0022', '2026-01-08 09:10', 'desk', 'anna', '2026-01-08 team setup', 'shared', '{office}',
     'The last one to leave switches on the alarm at the side door and closes the roof window in the kitchenette.'),

    -- 2026-01-12 billing incident
    ('demo-0023', '2026-01-12 10:20', 'desk', 'ben', '2026-01-12 billing incident', 'shared', '{incident,billing-api}',
     'ERR_4711 means that the tax service timed out and the invoice was written without VAT; rerun the job `vat-backfill` for that day.'),
    ('demo-0024', '2026-01-12 10:24', 'desk', 'ben', '2026-01-12 billing incident', 'shared', '{incident,billing-api}',
     'billing-api is written in Go and runs on 10.20.4.17 behind the proxy.'),
    ('demo-0025', '2026-01-12 10:26', 'desk', 'ben', '2026-01-12 billing incident', 'shared', '{release}',
     'v2.3.1 went out this morning with the fix for the rounding of øre amounts.'),
    ('demo-0026', '2026-01-12 10:31', 'desk', 'ben', '2026-01-12 billing incident', 'shared', '{billing-api,doc}',
     'The runbook for billing-api lies at /opt/ferrypost/runbooks/billing.md.'),

    -- 2026-01-15 work facts
    ('demo-0027', '2026-01-15 16:40', 'desk', 'anna', '2026-01-15 work facts', 'personal', '{salary}',
     'My salary is 842,000 kroner a year since the January review; nobody else in the team needs to know.'),
    ('demo-0028', '2026-01-15 16:42', 'desk', 'anna', '2026-01-15 work facts', 'personal', '{career}',
     'I want to hand over the product lead within two years and go back to writing code.'),
    ('demo-0029', '2026-01-15 16:45', 'desk', 'anna', '2026-01-15 work facts', 'personal', '{review}',
     'Ben''s yearly talk with me is on 5 February; I want to praise the invoice migration and ask about on-call fatigue.'),

    -- 2026-01-18 sunday
    ('demo-0030', '2026-01-18 11:02', 'huginn', 'ben', '2026-01-18 sunday', 'personal', '{books}',
     'Finished a novel about a lighthouse keeper''s two daughters, four out of five, the ending was too neat.'),
    ('demo-0031', '2026-01-18 11:05', 'huginn', 'ben', '2026-01-18 sunday', 'personal', '{health,running}',
     'I want to run the half marathon on 30 May in under an hour and fifty minutes.'),
    ('demo-0032', '2026-01-18 11:07', 'huginn', 'ben', '2026-01-18 sunday', 'personal', '{travel,日本}',
     '五月に京都へ行きたい。清水寺の近くの小さな旅館に泊まる予定です。'),

    -- 2026-01-20 hverdag
    ('demo-0033', '2026-01-20 07:55', 'huginn', 'anna', '2026-01-20 hverdag', 'personal', '{family,norsk}',
     'Liv har svømming hver tirsdag klokka fem, og Jonas kjører.'),
    ('demo-0034', '2026-01-20 07:57', 'huginn', 'anna', '2026-01-20 hverdag', 'personal', '{handling,norsk}',
     'Vi må kjøpe ny vinterdress til Liv, størrelse 128, helst rød.'),
    ('demo-0035', '2026-01-20 20:30', 'huginn', 'anna', '2026-01-20 hverdag', 'personal', '{bil,norsk}',
     'Bilen skal på service hos verkstedet på Laksevåg den 3. februar, og bremsene bak må byttes.'),

    -- 2026-01-22 support desk
    ('demo-0036', '2026-01-22 13:10', 'desk', 'chiara', '2026-01-22 support desk', 'personal', '{support}',
     'Refunds up to 500 kroner I can approve on my own, anything above goes to Anna.'),
    ('demo-0037', '2026-01-22 13:12', 'desk', 'chiara', '2026-01-22 support desk', 'personal', '{support,customer}',
     'The harbour bookshop in Florø is our most patient customer; their contact is Torunn, torunn@example.org.'),
    ('demo-0038', '2026-01-22 13:15', 'desk', 'chiara', '2026-01-22 support desk', 'personal', '{support}',
     'My canned reply for late parcels is called late-ferry-02.'),
    ('demo-0039', '2026-01-22 13:19', 'desk', 'chiara', '2026-01-22 support desk', 'personal', '{support,deutsch}',
     'Der Kunde aus Hamburg möchte seine Rechnungen immer als PDF und auf Deutsch bekommen.'),

    -- 2026-01-25 kitchen
    ('demo-0040', '2026-01-25 18:02', 'huginn', 'anna', '2026-01-25 kitchen', 'group:kitchen', '{recipe}',
     'The sourdough starter lives in the blue jar; it wants 50 g rye flour and 50 g water every third day.'),
    ('demo-0041', '2026-01-25 18:05', 'huginn', 'chiara', '2026-01-25 kitchen', 'group:kitchen', '{recipe,deutsch}',
     'Für Rösti nehme ich festkochende Kartoffeln, am Vortag gekocht, und reibe sie erst kurz vor dem Braten.'),
    ('demo-0042', '2026-01-25 18:09', 'huginn', 'anna', '2026-01-25 kitchen', 'group:kitchen', '{kitchen,money}',
     'I paid 2,390 kroner for the stand mixer, Chiara owes me half.'),
    ('demo-0043', '2026-01-25 18:11', 'huginn', 'chiara', '2026-01-25 kitchen', 'group:kitchen', '{kitchen}',
     'We cook together every second Thursday, alternating flats, guests welcome if they wash up.')
  ) AS s(key, said, bot, who, thread, audience, tags, content)
  JOIN demo_people AS p USING (who)
  ORDER BY s.key) AS said;

---------------------------------------------------------------------------------------------------
-- February 2026
---------------------------------------------------------------------------------------------------

SELECT format('  %-10s %3s statements  %6s s', 'February', count(said.id),
              round(extract(epoch FROM clock_timestamp() - statement_timestamp())::numeric, 1))
FROM (
  SELECT muninn.remember(bot => s.bot, person => p.id, content => s.content, tags => s.tags::text[],
                         audience => s.audience, valid_from => s.said::timestamptz, source => 'demo',
                         thread => s.thread, key => s.key) AS id
  FROM (VALUES
    -- 2026-02-02 dog
    ('demo-0044', '2026-02-02 18:40', 'huginn', 'ben', '2026-02-02 dog', 'personal', '{pets,health}',
     'The vet says Biscuit is two kilos overweight and should get 180 grams of dry food a day, no more.'),
    ('demo-0045', '2026-02-02 18:44', 'huginn', 'ben', '2026-02-02 dog', 'personal', '{pets}',
     'When I''m away, my neighbour Oddvar on the third floor takes the dog.'),
    ('demo-0046', '2026-02-02 18:47', 'huginn', 'ben', '2026-02-02 dog', 'personal', '{preference}',
     'Please don''t send me reminders after nine in the evening.'),

    -- 2026-02-03 arzt
    ('demo-0047', '2026-02-03 12:05', 'huginn', 'chiara', '2026-02-03 arzt', 'personal', '{health,deutsch}',
     'Seit heute nehme ich morgens Ramipril 5 mg gegen zu hohen Blutdruck.'),
    ('demo-0048', '2026-02-03 12:07', 'huginn', 'chiara', '2026-02-03 arzt', 'personal', '{health,deutsch}',
     'Mein Zahnarzttermin bei Frau Dr. Kellerhals ist am 14. April um 8:30 Uhr am Torgallmenningen.'),
    ('demo-0049', '2026-02-03 12:10', 'huginn', 'chiara', '2026-02-03 arzt', 'personal', '{health}',
     'The rheumatologist thinks my sore fingers are psoriatic arthritis; I haven''t told anybody but Samir.'),

    -- 2026-02-05 planning 2.4
    ('demo-0050', '2026-02-05 11:00', 'desk', 'anna', '2026-02-05 planning 2.4', 'shared', '{release,deadline}',
     'We decided to release v2.4.0 on 15 May, with label printing at the quay as its main feature.'),
    ('demo-0051', '2026-02-05 11:03', 'desk', 'anna', '2026-02-05 planning 2.4', 'shared', '{project,FP-1182}',
     'FP-1182 is the label printer: shops should be able to print on the quay without a computer.'),
    ('demo-0052', '2026-02-05 11:05', 'desk', 'anna', '2026-02-05 planning 2.4', 'shared', '{project,FP-1190}',
     'FP-1190, the new pricing table, waits for the ferry companies'' summer tariffs.'),
    ('demo-0053', '2026-02-05 11:08', 'desk', 'anna', '2026-02-05 planning 2.4', 'shared', '{decision}',
     'Decision: tracking-worker moves from its own key-value store to Postgres; one database less to look after.'),
    ('demo-0054', '2026-02-05 11:12', 'desk', 'anna', '2026-02-05 planning 2.4', 'shared', '{decision,budget}',
     'The storage room at the Dokken quay costs us 14,500 kroner a month.'),

    -- 2026-02-08 language practice
    ('demo-0055', '2026-02-08 20:10', 'huginn', 'ben', '2026-02-08 language practice', 'personal', '{中文}',
     '我打算六月参加汉语水平考试四级，每天要背二十个生词。'),
    ('demo-0056', '2026-02-08 20:13', 'huginn', 'ben', '2026-02-08 language practice', 'personal', '{中文,food}',
     '姐姐教我包饺子：猪肉、白菜、一点点姜，不要放香菜。'),
    ('demo-0057', '2026-02-08 20:16', 'huginn', 'ben', '2026-02-08 language practice', 'personal', '{food}',
     'I can''t stand coriander, it tastes of soap to me.'),

    -- 2026-02-11 vinterferie
    ('demo-0058', '2026-02-11 21:15', 'huginn', 'anna', '2026-02-11 vinterferie', 'personal', '{travel,norsk}',
     'I vinterferien reiser vi til hytta på Voss, og svigermor blir med fra lørdag til onsdag.'),
    ('demo-0059', '2026-02-11 21:17', 'huginn', 'anna', '2026-02-11 vinterferie', 'personal', '{travel,norsk}',
     'Skiene til Liv er for korte; vi låner et par på 120 centimeter fra naboen.'),
    ('demo-0060', '2026-02-11 21:20', 'huginn', 'anna', '2026-02-11 vinterferie', 'personal', '{cabin}',
     'The cabin has no mobile coverage except on the rock behind the woodshed.'),

    -- 2026-02-14 samir
    ('demo-0061', '2026-02-14 23:01', 'huginn', 'chiara', '2026-02-14 samir', 'personal', '{family,عربي}',
     'سمير يحب القهوة بالهيل ولا يضع السكر أبداً.'),
    ('demo-0062', '2026-02-14 23:03', 'huginn', 'chiara', '2026-02-14 samir', 'personal', '{family,عربي}',
     'والدة سمير تسكن في عمّان وتزورنا في شهر أكتوبر.'),
    ('demo-0063', '2026-02-14 23:06', 'huginn', 'chiara', '2026-02-14 samir', 'personal', '{language}',
     'I''m taking an Arabic beginners'' class on Monday evenings at the library so I can talk with Samir''s mother.'),

    -- 2026-02-17 on-call
    ('demo-0064', '2026-02-17 22:14', 'desk', 'ben', '2026-02-17 on-call', 'group:oncall', '{oncall}',
     'The on-call week changes hands on Tuesdays at noon; Ben has even weeks and Chiara odd ones.'),
    ('demo-0065', '2026-02-17 22:16', 'desk', 'ben', '2026-02-17 on-call', 'group:oncall', '{oncall}',
     'The phone for emergencies has the number +47 00 55 19 11 and lies in the top drawer at Ben''s place.'),
    ('demo-0066', '2026-02-17 22:20', 'desk', 'ben', '2026-02-17 on-call', 'group:oncall', '{oncall,billing-api}',
     'When the connection pool runs dry, billing-api answers nothing but 502 and falls over within a minute; raise PG_POOL to 40 and restart it on both machines, one after the other.'),
    ('demo-0067', '2026-02-17 22:25', 'desk', 'chiara', '2026-02-17 on-call', 'group:oncall', '{oncall}',
     'If a ferry line''s own booking system is down we can''t do anything; tell the shops and go back to bed.'),

    -- 2026-02-19 kitchen
    ('demo-0068', '2026-02-19 19:30', 'huginn', 'anna', '2026-02-19 kitchen', 'group:kitchen', '{recipe}',
     'My grandmother''s fish soup: cod, saithe bones for the stock, celeriac, a dash of vinegar, and cream only at the very end.'),
    ('demo-0069', '2026-02-19 19:34', 'huginn', 'chiara', '2026-02-19 kitchen', 'group:kitchen', '{recipe,deutsch}',
     'Den Käsekuchen backe ich bei 160 Grad siebzig Minuten lang und lasse ihn im ausgeschalteten Ofen abkühlen.'),
    ('demo-0070', '2026-02-19 19:40', 'huginn', 'chiara', '2026-02-19 kitchen', 'group:kitchen', '{kitchen,money}',
     'I''ve transferred my 1,195 kroner for the mixer to Anna today, so we''re even.'),

    -- 2026-02-24 reading
    ('demo-0071', '2026-02-24 22:02', 'huginn', 'chiara', '2026-02-24 reading', 'personal', '{books,deutsch}',
     'Ich lese gerade einen dicken Roman über eine Hebamme im Schwarzwald und komme vor Müdigkeit nie über zehn Seiten hinaus.'),
    ('demo-0072', '2026-02-24 22:04', 'huginn', 'chiara', '2026-02-24 reading', 'personal', '{films}',
     'We watched a documentary about octopuses; Samir cried, I didn''t.'),
    ('demo-0073', '2026-02-24 22:06', 'huginn', 'chiara', '2026-02-24 reading', 'personal', '{music}',
     'I sing alto in the harbour choir, rehearsals are Wednesdays at seven.')
  ) AS s(key, said, bot, who, thread, audience, tags, content)
  JOIN demo_people AS p USING (who)
  ORDER BY s.key) AS said;

---------------------------------------------------------------------------------------------------
-- March 2026
---------------------------------------------------------------------------------------------------

SELECT format('  %-10s %3s statements  %6s s', 'March', count(said.id),
              round(extract(epoch FROM clock_timestamp() - statement_timestamp())::numeric, 1))
FROM (
  SELECT muninn.remember(bot => s.bot, person => p.id, content => s.content, tags => s.tags::text[],
                         audience => s.audience, valid_from => s.said::timestamptz, source => 'demo',
                         thread => s.thread, key => s.key) AS id
  FROM (VALUES
    -- 2026-03-02 breakfast
    ('demo-0074', '2026-03-02 07:20', 'huginn', 'anna', '2026-03-02 breakfast', 'personal', '{food}',
     'Liv will only eat porridge if there are blueberries on it 🫐.'),
    ('demo-0075', '2026-03-02 07:22', 'huginn', 'anna', '2026-03-02 breakfast', 'personal', '{pets,health}',
     'Pelle gets half a thyroid tablet every morning, hidden in liver pâté.'),
    ('demo-0076', '2026-03-02 07:25', 'huginn', 'anna', '2026-03-02 breakfast', 'personal', '{family,work}',
     'Jonas works as a carpenter for a boatyard on Askøy.'),

    -- 2026-03-04 release notes
    ('demo-0077', '2026-03-04 10:05', 'desk', 'ben', '2026-03-04 release notes', 'shared', '{release}',
     'v2.3.2 is out: faster tracking pages and a fix for parcels that crossed midnight twice.'),
    ('demo-0078', '2026-03-04 10:08', 'desk', 'ben', '2026-03-04 release notes', 'shared', '{tracking-worker}',
     'tracking-worker dies every few days because it runs out of memory while reading the timetables.'),
    ('demo-0079', '2026-03-04 10:10', 'desk', 'ben', '2026-03-04 release notes', 'shared', '{label-service}',
     'The label service crashes when a shop''s name contains an emoji 🐟.'),
    ('demo-0080', '2026-03-04 10:12', 'desk', 'ben', '2026-03-04 release notes', 'shared', '{notify}',
     'The notifier keeps going down after midnight because its certificate store gets reloaded.'),
    ('demo-0081', '2026-03-04 10:15', 'desk', 'ben', '2026-03-04 release notes', 'shared', '{billing-api,deploy}',
     'billing-api deploys every Tuesday at ten.'),
    ('demo-0082', '2026-03-04 10:16', 'desk', 'ben', '2026-03-04 release notes', 'shared', '{billing-api}',
     'billing-api logs to /var/log/ferrypost/billing-api.log.'),
    ('demo-0083', '2026-03-04 10:18', 'desk', 'ben', '2026-03-04 release notes', 'shared', '{billing-api}',
     'billing-api has 412 tests and takes three minutes to check.'),
    ('demo-0084', '2026-03-04 10:20', 'desk', 'ben', '2026-03-04 release notes', 'shared', '{billing-api}',
     'billing-api listens on port 8085.'),

    -- 2026-03-08 birthday ideas
    ('demo-0085', '2026-03-08 15:10', 'huginn', 'anna', '2026-03-08 birthday ideas', 'personal', '{family,gift}',
     'Jonas would love a proper Japanese saw for his birthday on 2 April; the shop on Strandgaten has them for 890 kroner.'),
    ('demo-0086', '2026-03-08 15:14', 'huginn', 'anna', '2026-03-08 birthday ideas', 'personal', '{family,gift}',
     'My mother collects enamel coffee pots, the ones with a cat on them are still missing.'),

    -- 2026-03-10 wohnung
    ('demo-0087', '2026-03-10 20:20', 'huginn', 'chiara', '2026-03-10 wohnung', 'personal', '{home,deutsch}',
     'Unsere Miete beträgt 16.800 Kronen im Monat, Strom kommt noch dazu.'),
    ('demo-0088', '2026-03-10 20:22', 'huginn', 'chiara', '2026-03-10 wohnung', 'personal', '{home,deutsch}',
     'Die Heizung im Bad ist kaputt; der Hausmeister kommt am Donnerstag zwischen acht und zehn.'),
    ('demo-0089', '2026-03-10 20:25', 'huginn', 'chiara', '2026-03-10 wohnung', 'personal', '{pets,deutsch}',
     'Archimedes ist heute aufgewacht und hat sofort ein halbes Salatblatt gefressen 🐢.'),

    -- 2026-03-13 run
    ('demo-0090', '2026-03-13 18:05', 'huginn', 'ben', '2026-03-13 run', 'personal', '{running,health}',
     'My left knee hurts after anything over twelve kilometres.'),
    ('demo-0091', '2026-03-13 18:08', 'huginn', 'ben', '2026-03-13 run', 'personal', '{running}',
     'The running shoes I like are a size 44 and a half, with the wide toe box.'),
    ('demo-0092', '2026-03-13 18:11', 'huginn', 'ben', '2026-03-13 run', 'personal', '{health}',
     'The physiotherapist gave me three exercises for the hip and none for the knee, and it''s helping.'),

    -- 2026-03-17 customer call
    ('demo-0093', '2026-03-17 14:00', 'desk', 'chiara', '2026-03-17 customer call', 'shared', '{customer}',
     'The pottery shop in Ålesund wants collection before seven in the morning, otherwise their stock misses the early boat.'),
    ('demo-0094', '2026-03-17 14:03', 'desk', 'chiara', '2026-03-17 customer call', 'shared', '{support}',
     'Most complaints this month were about missing notification texts, 31 out of 74.'),
    ('demo-0095', '2026-03-17 14:06', 'desk', 'chiara', '2026-03-17 customer call', 'shared', '{support,decision}',
     'We promise shops an answer within eight working hours.'),
    ('demo-0096', '2026-03-17 14:09', 'desk', 'chiara', '2026-03-17 customer call', 'shared', '{customer,deutsch}',
     'Der Hamburger Kunde hat den Vertrag bis Ende 2027 verlängert und will dafür fünf Prozent Rabatt.'),

    -- 2026-03-19 kitchen
    ('demo-0097', '2026-03-19 18:45', 'huginn', 'anna', '2026-03-19 kitchen', 'group:kitchen', '{recipe}',
     'The kimchi has to stand for six days in the cellar before anybody opens the lid.'),
    ('demo-0098', '2026-03-19 18:50', 'huginn', 'anna', '2026-03-19 kitchen', 'group:kitchen', '{kitchen,norsk}',
     'Knivene må slipes før påske; Bjarne på torget gjør det mens man venter.'),
    ('demo-0099', '2026-03-19 18:53', 'huginn', 'chiara', '2026-03-19 kitchen', 'group:kitchen', '{kitchen,deutsch}',
     'Das Kreuzkümmelglas ist leer und der Safran liegt ganz hinten im obersten Fach.'),
    ('demo-0100', '2026-03-19 18:57', 'huginn', 'anna', '2026-03-19 kitchen', 'group:kitchen', '{kitchen}',
     'When Liv eats with us: no nuts of any sort on the table, not even almonds.'),

    -- 2026-03-24 surprise
    ('demo-0101', '2026-03-24 21:30', 'huginn', 'anna', '2026-03-24 surprise', 'group:party', '{party,secret}',
     'We are throwing Chiara a surprise party for her fortieth on Saturday 19 September in the boathouse at Gamle Bergen; she must not hear of it.'),
    ('demo-0102', '2026-03-24 21:33', 'huginn', 'ben', '2026-03-24 surprise', 'group:party', '{party,secret}',
     'I''ll tell Chiara that it''s a dull work dinner and fetch her at six.'),
    ('demo-0103', '2026-03-24 21:36', 'huginn', 'anna', '2026-03-24 surprise', 'group:party', '{party,secret}',
     'Twenty-two guests so far, and Samir flies her mother in from Basel.'),
    ('demo-0104', '2026-03-24 21:40', 'huginn', 'ben', '2026-03-24 surprise', 'group:party', '{party,secret}',
     'The cake is lemon and poppy seed, three tiers, ordered from Ingeborg for 3,200 kroner.'),

    -- 2026-03-28 påske
    ('demo-0105', '2026-03-28 10:02', 'huginn', 'anna', '2026-03-28 påske', 'personal', '{cabin,norsk}',
     'Til påske trenger vi ti kilo ved, lammelår og appelsiner på hytta.'),
    ('demo-0106', '2026-03-28 10:05', 'huginn', 'anna', '2026-03-28 påske', 'personal', '{family,norsk}',
     'Mormor har fått ny telefon og vil helst ringes mellom seks og sju om kvelden.'),

    -- 2026-03-31 notes on a tour of the quays, apart from each other: no thread
    ('demo-0107', '2026-03-31 16:00', 'desk', 'ben', NULL, 'shared', '{quay}',
     'Ålesund has two quays.'),
    ('demo-0108', '2026-03-31 16:01', 'desk', 'ben', NULL, 'shared', '{quay}',
     'Ålesund closes at four on Fridays.'),
    ('demo-0109', '2026-03-31 16:03', 'desk', 'ben', NULL, 'shared', '{quay}',
     'Parcels for Ålesund wait until six.'),
    ('demo-0110', '2026-03-31 16:04', 'desk', 'ben', NULL, 'shared', '{quay}',
     'The gate code in Ålesund changes monthly.'),
    ('demo-0111', '2026-03-31 16:05', 'desk', 'ben', NULL, 'shared', '{quay,devices}',
     'Barcode readers from Florø go to the electrician next door.'),
    ('demo-0112', '2026-03-31 16:06', 'desk', 'ben', NULL, 'shared', '{quay,devices}',
     'Faulty barcode readers are mended by the electrician, never by us.'),
    ('demo-0113', '2026-03-31 16:08', 'desk', 'ben', NULL, 'shared', '{quay,devices}',
     'The electrician on Solheimsgaten mends barcode readers while you wait.'),
    ('demo-0114', '2026-03-31 16:09', 'desk', 'ben', NULL, 'shared', '{quay,devices}',
     'Måløy mends its barcode readers on its own.'),
    ('demo-0115', '2026-03-31 16:11', 'desk', 'ben', NULL, 'shared', '{quay,devices}',
     'Harald, the caretaker in Ålesund, mends barcode readers and lends us his van.')
  ) AS s(key, said, bot, who, thread, audience, tags, content)
  JOIN demo_people AS p USING (who)
  ORDER BY s.key) AS said;

---------------------------------------------------------------------------------------------------
-- April 2026
---------------------------------------------------------------------------------------------------

SELECT format('  %-10s %3s statements  %6s s', 'April', count(said.id),
              round(extract(epoch FROM clock_timestamp() - statement_timestamp())::numeric, 1))
FROM (
  SELECT muninn.remember(bot => s.bot, person => p.id, content => s.content, tags => s.tags::text[],
                         audience => s.audience, valid_from => s.said::timestamptz, source => 'demo',
                         thread => s.thread, key => s.key) AS id
  FROM (VALUES
    -- 2026-04-02 kyoto plan
    ('demo-0116', '2026-04-02 21:00', 'huginn', 'ben', '2026-04-02 kyoto plan', 'personal', '{travel}',
     'Flights booked: Bergen to Osaka on 6 May and home on 20 May, booking code K7QX2M.'),
    ('demo-0117', '2026-04-02 21:04', 'huginn', 'ben', '2026-04-02 kyoto plan', 'personal', '{travel,日本}',
     '旅館の予約は五月八日から三泊、朝食付きです。'),
    ('demo-0118', '2026-04-02 21:07', 'huginn', 'ben', '2026-04-02 kyoto plan', 'personal', '{travel,日本}',
     '田中先生は京都駅の北口で午後二時に待っています。'),
    ('demo-0119', '2026-04-02 21:10', 'huginn', 'ben', '2026-04-02 kyoto plan', 'personal', '{travel}',
     'My passport runs out on 11 December 2026, so I need a new one in autumn.'),

    -- 2026-04-07 bank
    ('demo-0120', '2026-04-07 19:15', 'huginn', 'anna', '2026-04-07 bank', 'personal', '{home,money}',
     'Our offer of 6.1 million for the house on Nordnes was accepted; the loan costs 4.7 percent.'),
    ('demo-0121', '2026-04-07 19:18', 'huginn', 'anna', '2026-04-07 bank', 'personal', '{home}',
     'We take the house over on 2 June and the movers come on the 6th.'),
    ('demo-0122', '2026-04-07 19:21', 'huginn', 'anna', '2026-04-07 bank', 'personal', '{home,money}',
     'The flat in Sandviken goes on the market after Easter.'),

    -- 2026-04-09 planning
    ('demo-0123', '2026-04-09 11:10', 'desk', 'anna', '2026-04-09 planning', 'shared', '{release,deadline}',
     'The release of v2.4.0 is postponed from 15 May to 29 May because the printers arrive late.'),
    ('demo-0124', '2026-04-09 11:13', 'desk', 'anna', '2026-04-09 planning', 'shared', '{project,FP-1182}',
     'For FP-1182 we buy forty thermal printers, model TP-88, from a dealer in Stavanger.'),
    ('demo-0125', '2026-04-09 11:16', 'desk', 'anna', '2026-04-09 planning', 'shared', '{team,decision}',
     'Fridays are home office for everybody, no meetings after lunch.'),
    ('demo-0126', '2026-04-09 11:20', 'desk', 'anna', '2026-04-09 planning', 'shared', '{team}',
     'From now on the stand-up is at 9:30 and only on Monday, Wednesday and Friday.'),

    -- 2026-04-13 zahn
    ('demo-0127', '2026-04-13 17:30', 'huginn', 'chiara', '2026-04-13 zahn', 'personal', '{health,deutsch}',
     'Frau Dr. Kellerhals hat angerufen: der Zahnarzttermin ist auf den 21. April um 9:15 Uhr verschoben.'),
    ('demo-0128', '2026-04-13 17:33', 'huginn', 'chiara', '2026-04-13 zahn', 'personal', '{family,deutsch}',
     'Meine Mutter hat ein neues Knie bekommen und ist drei Wochen in der Reha in Rheinfelden.'),

    -- 2026-04-16 job
    ('demo-0129', '2026-04-16 12:20', 'desk', 'chiara', '2026-04-16 job', 'personal', '{career}',
     'I''ve applied for the design lead position; Anna knows, Ben doesn''t yet.'),
    ('demo-0130', '2026-04-16 12:23', 'desk', 'chiara', '2026-04-16 job', 'personal', '{salary}',
     'I asked for 710,000 a year for the new role.'),
    ('demo-0131', '2026-04-16 12:26', 'desk', 'chiara', '2026-04-16 job', 'personal', '{career,deutsch}',
     'Das Bewerbungsgespräch mit der Geschäftsleitung ist am 28. April um 13 Uhr.'),

    -- 2026-04-18 diagnosis
    ('demo-0132', '2026-04-18 09:40', 'huginn', 'ben', '2026-04-18 diagnosis', 'personal', '{health,diagnosis}',
     'It''s coeliac disease, the biopsy is clear: no wheat, rye or barley for the rest of my life.'),
    ('demo-0133', '2026-04-18 09:43', 'huginn', 'ben', '2026-04-18 diagnosis', 'personal', '{food,health}',
     'Goodbye bakery; from now on I buy the buckwheat loaf from the Saturday market.'),
    ('demo-0134', '2026-04-18 09:46', 'huginn', 'ben', '2026-04-18 diagnosis', 'personal', '{privacy}',
     'I don''t want to talk about my gut at work, so keep that between us.'),

    -- 2026-04-21 incident
    ('demo-0135', '2026-04-21 03:12', 'desk', 'ben', '2026-04-21 incident', 'group:oncall', '{incident}',
     'ERR_5020 at three in the night: the disk of 10.20.4.31 was full of old timetable dumps, I deleted everything older than two weeks.'),
    ('demo-0136', '2026-04-21 03:20', 'desk', 'ben', '2026-04-21 incident', 'group:oncall', '{incident,decision}',
     'Timetable dumps are now kept for fourteen days only; the job is called prune-dumps.'),
    ('demo-0137', '2026-04-21 08:45', 'desk', 'chiara', '2026-04-21 incident', 'group:oncall', '{incident}',
     'Customers saw no arrival times between 02:50 and 03:25, nineteen shops wrote in.'),

    -- 2026-04-23 garden
    ('demo-0138', '2026-04-23 18:20', 'huginn', 'anna', '2026-04-23 garden', 'personal', '{garden}',
     'I''ve sown three kinds of tomatoes on the window sill, the yellow pear ones came up first 🍅.'),
    ('demo-0139', '2026-04-23 18:23', 'huginn', 'anna', '2026-04-23 garden', 'personal', '{family}',
     'Liv can cycle without training wheels since Sunday!'),
    ('demo-0140', '2026-04-23 18:26', 'huginn', 'anna', '2026-04-23 garden', 'personal', '{books}',
     'The book club reads a memoir of a woman who rowed around Svalbard; we meet on 7 May at Kari''s.'),

    -- 2026-04-27 pets
    ('demo-0141', '2026-04-27 07:50', 'huginn', 'ben', '2026-04-27 pets', 'personal', '{pets}',
     'Biscuit is terrified of the vacuum cleaner and hides in the bathtub.'),
    ('demo-0142', '2026-04-27 07:52', 'huginn', 'ben', '2026-04-27 pets', 'personal', '{pets}',
     'Biscuit''s chip number is 000077000412398.')
  ) AS s(key, said, bot, who, thread, audience, tags, content)
  JOIN demo_people AS p USING (who)
  ORDER BY s.key) AS said;

---------------------------------------------------------------------------------------------------
-- May 2026
---------------------------------------------------------------------------------------------------

SELECT format('  %-10s %3s statements  %6s s', 'May', count(said.id),
              round(extract(epoch FROM clock_timestamp() - statement_timestamp())::numeric, 1))
FROM (
  SELECT muninn.remember(bot => s.bot, person => p.id, content => s.content, tags => s.tags::text[],
                         audience => s.audience, valid_from => s.said::timestamptz, source => 'demo',
                         thread => s.thread, key => s.key) AS id
  FROM (VALUES
    -- 2026-05-02 kaffe
    ('demo-0143', '2026-05-02 08:30', 'huginn', 'ben', '2026-05-02 kaffe', 'personal', '{preference,coffee}',
     'I''ve changed my mind about coffee: one flat white with oat milk in the morning, that''s all.'),
    ('demo-0144', '2026-05-02 08:33', 'huginn', 'ben', '2026-05-02 kaffe', 'personal', '{preference,tea}',
     'In the evening I drink roasted oolong from Nantou.'),
    ('demo-0145', '2026-05-02 08:36', 'huginn', 'ben', '2026-05-02 kaffe', 'personal', '{running}',
     'The doctor says no half marathon this month, so I''m giving my starting number to Henrik.'),

    -- 2026-05-05 before the trip
    ('demo-0146', '2026-05-05 19:10', 'huginn', 'ben', '2026-05-05 before the trip', 'personal', '{travel}',
     'Oddvar has the dog from the 6th to the 21st and knows about the 180 grams.'),
    ('demo-0147', '2026-05-05 19:13', 'huginn', 'ben', '2026-05-05 before the trip', 'personal', '{travel,health}',
     'I need a card in Japanese that says I can''t have wheat or soy sauce with wheat in it.'),

    -- 2026-05-06 new role
    ('demo-0148', '2026-05-06 09:15', 'desk', 'chiara', '2026-05-06 new role', 'personal', '{career}',
     'I got it! From 1 June I''m design lead, and Ingrid takes over customer support.'),
    ('demo-0149', '2026-05-06 09:18', 'desk', 'chiara', '2026-05-06 new role', 'personal', '{career}',
     'I want to rebuild the shop pages from scratch and I''d like two days of user interviews first.'),

    -- 2026-05-08 planning
    ('demo-0150', '2026-05-08 10:30', 'desk', 'anna', '2026-05-08 planning', 'shared', '{release,deadline}',
     'New date for v2.4.0: 12 June. The printers are here, but the labels smear in the rain.'),
    ('demo-0151', '2026-05-08 10:34', 'desk', 'anna', '2026-05-08 planning', 'shared', '{release,decision}',
     'Code freeze starts a week before every release; only fixes with a ticket after that.'),
    ('demo-0152', '2026-05-08 10:37', 'desk', 'anna', '2026-05-08 planning', 'shared', '{budget}',
     'From June the storage room at the Dokken quay costs 15,900 kroner a month instead of 14,500.'),
    ('demo-0153', '2026-05-08 10:40', 'desk', 'anna', '2026-05-08 planning', 'shared', '{team}',
     'Holiday list: Ben weeks 19 and 20, Chiara week 28 to 30, Anna week 29 to 31.'),

    -- 2026-05-12 kyoto
    ('demo-0154', '2026-05-12 22:30', 'huginn', 'ben', '2026-05-12 kyoto', 'personal', '{travel}',
     'Spent the whole day on the Philosopher''s Path and bought a teapot in Higashiyama (東山) for grandma.'),
    ('demo-0155', '2026-05-12 22:34', 'huginn', 'ben', '2026-05-12 kyoto', 'personal', '{travel,日本}',
     '小麦アレルギーなので、うどんは食べられません。そばも確認が必要です。'),
    ('demo-0156', '2026-05-12 22:37', 'huginn', 'ben', '2026-05-12 kyoto', 'personal', '{travel}',
     'Best part so far: the public bath behind the inn, empty at six in the morning.'),

    -- 2026-05-17 syttende mai
    ('demo-0157', '2026-05-17 08:00', 'huginn', 'anna', '2026-05-17 syttende mai', 'personal', '{family,norsk}',
     'Liv går i toget med korpset klokka ti, og bunaden hennes er sydd ut med fire centimeter 🇳🇴.'),
    ('demo-0158', '2026-05-17 08:03', 'huginn', 'anna', '2026-05-17 syttende mai', 'personal', '{food,norsk}',
     'Bløtkaken skal ha jordbær og vaniljekrem, ingen nøtter.'),
    ('demo-0159', '2026-05-17 20:45', 'huginn', 'anna', '2026-05-17 syttende mai', 'personal', '{family}',
     'Jonas has given notice at the boatyard and starts his own workshop in August.'),

    -- 2026-05-21 garten
    ('demo-0160', '2026-05-21 20:10', 'huginn', 'chiara', '2026-05-21 garten', 'personal', '{garden,deutsch}',
     'Auf dem Balkon wachsen jetzt Erbsen, Lavendel und viel zu viel Minze.'),
    ('demo-0161', '2026-05-21 20:13', 'huginn', 'chiara', '2026-05-21 garten', 'personal', '{pets,deutsch}',
     'Der Tierarzt für Archimedes heißt Dr. Aasen und hat nur montags Sprechstunde für Reptilien.'),
    ('demo-0162', '2026-05-21 20:16', 'huginn', 'chiara', '2026-05-21 garten', 'personal', '{health,deutsch}',
     'Die Ärztin hat die Dosis erhöht: jetzt Ramipril 10 mg, immer abends statt morgens.'),

    -- 2026-05-26 back home
    ('demo-0163', '2026-05-26 18:00', 'huginn', 'ben', '2026-05-26 back home', 'personal', '{pets}',
     'Biscuit lost 900 grams while I was away, Oddvar deserves a medal 🏅.'),
    ('demo-0164', '2026-05-26 18:04', 'huginn', 'ben', '2026-05-26 back home', 'personal', '{family,中文}',
     '奶奶收到了京都的茶壶，她说比我爷爷买的那把还漂亮。'),
    ('demo-0165', '2026-05-26 18:05', 'huginn', 'ben', '2026-05-26 back home', 'personal', '{pets}',
     'Biscuit still gets 180 grams of dry food a day, not a gram more.'),
    ('demo-0166', '2026-05-26 18:07', 'huginn', 'ben', '2026-05-26 back home', 'personal', '{money}',
     'I have 38,000 yen left over; keep them for next time.')
  ) AS s(key, said, bot, who, thread, audience, tags, content)
  JOIN demo_people AS p USING (who)
  ORDER BY s.key) AS said;

---------------------------------------------------------------------------------------------------
-- June 2026
---------------------------------------------------------------------------------------------------

SELECT format('  %-10s %3s statements  %6s s', 'June', count(said.id),
              round(extract(epoch FROM clock_timestamp() - statement_timestamp())::numeric, 1))
FROM (
  SELECT muninn.remember(bot => s.bot, person => p.id, content => s.content, tags => s.tags::text[],
                         audience => s.audience, valid_from => s.said::timestamptz, source => 'demo',
                         thread => s.thread, key => s.key) AS id
  FROM (VALUES
    -- 2026-06-07 new house
    ('demo-0167', '2026-06-07 21:10', 'huginn', 'anna', '2026-06-07 new house', 'personal', '{home,family}',
     'We have moved! The new address is Tjærehagen 21 on Nordnes, the white house with the green door.'),
    ('demo-0168', '2026-06-07 21:13', 'huginn', 'anna', '2026-06-07 new house', 'personal', '{home}',
     'On Nordnes the paper bins are emptied on the first Wednesday of the month and the rest on Mondays.'),
    ('demo-0169', '2026-06-07 21:16', 'huginn', 'anna', '2026-06-07 new house', 'personal', '{home}',
     'Our new neighbour Synnøve can let herself in and waters the plants.'),
    ('demo-0170', '2026-06-07 21:19', 'huginn', 'anna', '2026-06-07 new house', 'personal', '{pets}',
     'Pelle has been under the sofa since the move and comes out only for tuna.'),

    -- 2026-06-10 internet
    ('demo-0171', '2026-06-10 12:30', 'huginn', 'anna', '2026-06-10 internet', 'personal', '{home,money}',
     'The fibre line costs 649 kroner a month and the technician comes on 18 June between noon and four.'),
    ('demo-0172', '2026-06-10 12:33', 'huginn', 'anna', '2026-06-10 internet', 'personal', '{home}',
     'The fuse for the kitchen is number 7, the one that trips is number 11.'),
    ('demo-0173', '2026-06-10 12:36', 'huginn', 'anna', '2026-06-10 internet', 'personal', '{home}',
     'Synnøve says I had it wrong: on Nordnes the paper bins are emptied on the second Wednesday of the month, not the first.'),

    -- 2026-06-12 release day
    ('demo-0174', '2026-06-12 15:00', 'desk', 'ben', '2026-06-12 release day', 'shared', '{release}',
     'v2.4.0 is released, at last: labels print on the quay, in the rain, without a computer.'),
    ('demo-0175', '2026-06-12 15:04', 'desk', 'ben', '2026-06-12 release day', 'shared', '{release,known-issue}',
     'Known problem in v2.4.0: the preview shows the barcode mirrored, the print is right.'),
    ('demo-0176', '2026-06-12 15:07', 'desk', 'ben', '2026-06-12 release day', 'shared', '{architecture}',
     'tracking-worker has been on Postgres since last night; the old store stays read-only for a month.'),

    -- 2026-06-14 kitchen
    ('demo-0177', '2026-06-14 17:20', 'huginn', 'anna', '2026-06-14 kitchen', 'group:kitchen', '{recipe}',
     'For eight jars of strawberry jam we need four kilos of berries and only one and a half kilos of sugar.'),
    ('demo-0178', '2026-06-14 17:24', 'huginn', 'chiara', '2026-06-14 kitchen', 'group:kitchen', '{recipe,deutsch}',
     'Spargel nie in den Kühlschrank ohne feuchtes Tuch, sonst wird er holzig.'),
    ('demo-0179', '2026-06-14 17:28', 'huginn', 'anna', '2026-06-14 kitchen', 'group:kitchen', '{kitchen}',
     'My new oven runs 15 degrees too hot, so set it lower than the recipe says.'),

    -- 2026-06-18 exam
    ('demo-0180', '2026-06-18 19:45', 'huginn', 'ben', '2026-06-18 exam', 'personal', '{中文}',
     '汉语水平考试四级我考了二百六十一分，及格了！'),
    ('demo-0181', '2026-06-18 19:48', 'huginn', 'ben', '2026-06-18 exam', 'personal', '{language}',
     'Next goal is level five in December, and I''d like harder reading texts.'),

    -- 2026-06-22 summer
    ('demo-0182', '2026-06-22 21:40', 'huginn', 'chiara', '2026-06-22 summer', 'personal', '{travel,deutsch}',
     'Im Juli fahren wir mit dem Nachtzug nach Basel und danach eine Woche an den Lago Maggiore.'),
    ('demo-0183', '2026-06-22 21:41', 'huginn', 'chiara', '2026-06-22 summer', 'personal', '{preference,food}',
     'I''ve gone off fish as well; since Easter I eat nothing that had a face.'),
    ('demo-0184', '2026-06-22 21:43', 'huginn', 'chiara', '2026-06-22 summer', 'personal', '{travel}',
     'We want to take the folding bikes on the train; they count as luggage if they''re in a bag.'),
    ('demo-0185', '2026-06-22 21:46', 'huginn', 'chiara', '2026-06-22 summer', 'personal', '{money}',
     'I put aside 3,000 kroner a month for a used sailing boat.'),

    -- 2026-06-25 security
    ('demo-0186', '2026-06-25 09:00', 'desk', 'ben', '2026-06-25 security', 'shared', '{security}',
     'Remote access goes through vpn.example.org with a hardware key; nobody gets in with only a password.'),
    ('demo-0187', '2026-06-25 09:04', 'desk', 'ben', '2026-06-25 security', 'shared', '{security,decision}',
     'Lost a laptop? Call Ben at once, any hour, he can lock it from afar.'),
    ('demo-0188', '2026-06-25 09:07', 'desk', 'ben', '2026-06-25 security', 'shared', '{security}',
     'Backups run at 01:30 to the machine in Trondheim and are restored as a test on the first of every month.')
  ) AS s(key, said, bot, who, thread, audience, tags, content)
  JOIN demo_people AS p USING (who)
  ORDER BY s.key) AS said;

---------------------------------------------------------------------------------------------------
-- July 2026
---------------------------------------------------------------------------------------------------

SELECT format('  %-10s %3s statements  %6s s', 'July', count(said.id),
              round(extract(epoch FROM clock_timestamp() - statement_timestamp())::numeric, 1))
FROM (
  SELECT muninn.remember(bot => s.bot, person => p.id, content => s.content, tags => s.tags::text[],
                         audience => s.audience, valid_from => s.said::timestamptz, source => 'demo',
                         thread => s.thread, key => s.key) AS id
  FROM (VALUES
    -- 2026-07-01 support handover
    ('demo-0189', '2026-07-01 10:00', 'desk', 'chiara', '2026-07-01 support handover', 'shared', '{support}',
     'Ingrid leads customer support from today; her extension is 214 and her mail is ingrid@example.org.'),
    ('demo-0190', '2026-07-01 10:03', 'desk', 'chiara', '2026-07-01 support handover', 'shared', '{support,decision}',
     'The promise to shops is now four working hours instead of eight.'),
    ('demo-0191', '2026-07-01 10:06', 'desk', 'chiara', '2026-07-01 support handover', 'shared', '{design}',
     'Interviews with nine shop owners: seven print at home, two on the quay, none of them reads our newsletter.'),

    -- 2026-07-02 sister
    ('demo-0192', '2026-07-02 21:01', 'huginn', 'ben', '2026-07-02 sister', 'personal', '{family}',
     'Mei has been promoted again, she runs the whole laboratory now.'),
    ('demo-0193', '2026-07-02 21:03', 'huginn', 'ben', '2026-07-02 sister', 'personal', '{family,food}',
     'Mei loves durian and I can''t be in the same room with one.'),
    ('demo-0194', '2026-07-02 21:05', 'huginn', 'ben', '2026-07-02 sister', 'personal', '{family,health}',
     'Mei rang at midnight her time: it''s shingles, the rash goes right round her waist, and she has to stay at home for a fortnight with tablets.'),

    -- 2026-07-04 cabin note
    ('demo-0195', '2026-07-04 13:00', 'huginn', 'anna', '2026-07-04 cabin note', 'personal', '{cabin,howto}',
     'Closing the cabin at Voss, so that I never have to work it out again. Start with the water. '
    'Shut the main cock under the trapdoor in the hall, then open every tap in the house, '
    'upstairs first, and leave them open; the shower too, and hold its hose down into the tub '
    'until nothing more runs out. The pump stands in the little room behind the bathroom: pull '
    'its plug, unscrew the cap at the bottom and put the low white bucket under it, about four '
    'litres come. Pour half a cup of frost fluid into each drain, also the one in the laundry '
    'corner that everybody forgets, and a whole cup into the toilet. Next the kitchen. Nothing '
    'that a mouse likes may stay: flour, rice, oats, candles and the soap by the sink all go into'
    ' the two tin boxes with the clip lids. The refrigerator is emptied, wiped with vinegar and '
    'left open with the wooden spoon in the door. Coffee and tea may stay in the cupboard. Take '
    'the rubbish with you, the bins by the main road are collected on Tuesdays in winter. Then '
    'the stove. Sweep out the ashes only when they are cold, carry them in the iron pail to the '
    'heap behind the woodshed, and lay a new fire with birch bark so that whoever comes first in '
    'January can light it with stiff fingers. Close the damper, otherwise the jackdaws come in; '
    'that happened in 2019 and took a weekend to clean. Bring in at least six baskets of wood and'
    ' stack them to the left of the stove, not in front of the window. The bedrooms: mattresses '
    'on edge, blankets into the chest with the cedar blocks, curtains open so that the sun dries '
    'the rooms. Turn the electric heater in the loft to frost guard and leave all the others off.'
    ' Outside, lay the garden table upside down on the terrace, take down the swing, tie the '
    'rowing boat keel up with both ropes, and put the snow poles along the path, eleven of them, '
    'the last one right by the letter box. Loosen the flag line, it froze to the pole last year. '
    'Walk round once and look at the shutters; the one on the north side needs the wedge that '
    'lies on its sill. Write the meter reading into the green book and take a photograph of it '
    'for the power company. Jonas should look at the chimney cap before the first storm, and '
    'somebody has to tell the farmer, Lars Ove, that the house is empty until Christmas; he '
    'clears the road only if he knows that we are coming and wants two days'' notice and a cake. '
    'If the snow is deep, park at his barn and walk the last four hundred metres, it takes a '
    'quarter of an hour with a sledge. Last of all, lock up in this order: the terrace door from '
    'the inside, the cellar from the outside, then the front door, twice round, and pull at it. '
    'And because I look for it every single year: the spare key of the cabin hangs inside the old'
    ' beehive, on the nail under its tin roof, and not in the woodshed any more.'),
    ('demo-0196', '2026-07-04 13:40', 'huginn', 'anna', '2026-07-04 cabin note', 'personal', '{cabin}',
     'The rowing boat at the cabin leaks at the stern; two coats of tar should do it.'),

    -- 2026-07-08 heat
    ('demo-0197', '2026-07-08 16:10', 'huginn', 'chiara', '2026-07-08 heat', 'personal', '{travel,deutsch}',
     'Das Häuschen in Brissago hat die Hausnummer 12, der Schlüssel ist beim Bäcker gegenüber.'),
    ('demo-0198', '2026-07-08 16:13', 'huginn', 'chiara', '2026-07-08 heat', 'personal', '{health}',
     'My skin doesn''t tolerate the sun with the new medicine, so shade and long sleeves for me ☀️.'),

    -- 2026-07-12 quiet weeks
    ('demo-0199', '2026-07-12 11:30', 'desk', 'ben', '2026-07-12 quiet weeks', 'personal', '{career}',
     'Honestly, the night shifts wear me out; I''d like to stop on-call by the end of the year.'),
    ('demo-0200', '2026-07-12 11:33', 'desk', 'ben', '2026-07-12 quiet weeks', 'personal', '{salary}',
     'I earn 768,000 kroner and was told there won''t be a raise before January.'),
    ('demo-0201', '2026-07-12 11:36', 'desk', 'ben', '2026-07-12 quiet weeks', 'personal', '{project}',
     'I''m writing a small simulator of ferry delays on Friday afternoons, it''s in ~/src/delaysim.'),

    -- 2026-07-15 incident
    ('demo-0202', '2026-07-15 23:50', 'desk', 'ben', '2026-07-15 incident', 'group:oncall', '{incident}',
     'ERR_4711 again, 212 invoices without VAT; the tax service changed its certificate and vat-backfill fixed them in six minutes.'),
    ('demo-0203', '2026-07-15 23:55', 'desk', 'chiara', '2026-07-15 incident', 'group:oncall', '{incident}',
     'The Danish ferries show one hour too early because their feed has no time zone.'),

    -- 2026-07-19 ferie
    ('demo-0204', '2026-07-19 09:10', 'huginn', 'anna', '2026-07-19 ferie', 'personal', '{travel,norsk}',
     'Vi tar hurtigruta til Svolvær den 22. juli og leier rorbu i fem netter.'),
    ('demo-0205', '2026-07-19 09:13', 'huginn', 'anna', '2026-07-19 ferie', 'personal', '{family,norsk}',
     'Liv har mistet en fortann og vil ha en femtilapp av tannfeen 🦷.'),
    ('demo-0206', '2026-07-19 09:16', 'huginn', 'anna', '2026-07-19 ferie', 'personal', '{pets}',
     'Synnøve feeds the cat while we''re in Lofoten; the tablets are in the butter compartment.'),

    -- 2026-07-26 dinner
    ('demo-0207', '2026-07-26 20:00', 'huginn', 'ben', '2026-07-26 dinner', 'personal', '{food,restaurant}',
     'My favourite place to eat in Bergen is the noodle bar in Marken.'),
    ('demo-0208', '2026-07-26 20:03', 'huginn', 'ben', '2026-07-26 dinner', 'personal', '{friends}',
     'Henrik and Sunniva are getting married on 10 October, I''m the best man and need a speech.')
  ) AS s(key, said, bot, who, thread, audience, tags, content)
  JOIN demo_people AS p USING (who)
  ORDER BY s.key) AS said;

---------------------------------------------------------------------------------------------------
-- August 2026
---------------------------------------------------------------------------------------------------

SELECT format('  %-10s %3s statements  %6s s', 'August', count(said.id),
              round(extract(epoch FROM clock_timestamp() - statement_timestamp())::numeric, 1))
FROM (
  SELECT muninn.remember(bot => s.bot, person => p.id, content => s.content, tags => s.tags::text[],
                         audience => s.audience, valid_from => s.said::timestamptz, source => 'demo',
                         thread => s.thread, key => s.key) AS id
  FROM (VALUES
    -- 2026-08-03 workshop
    ('demo-0209', '2026-08-03 18:00', 'huginn', 'anna', '2026-08-03 workshop', 'personal', '{family,work}',
     'Jonas opened his own joinery in Laksevåg today, three benches and one apprentice called Eirik.'),
    ('demo-0210', '2026-08-03 18:03', 'huginn', 'anna', '2026-08-03 workshop', 'personal', '{family}',
     'Liv starts third grade on 17 August and has a new teacher, Mr Solheim.'),
    ('demo-0211', '2026-08-03 18:06', 'huginn', 'anna', '2026-08-03 workshop', 'personal', '{health}',
     'I had three migraines this month, always after red wine.'),

    -- 2026-08-06 planning 2.5
    ('demo-0212', '2026-08-06 10:00', 'desk', 'anna', '2026-08-06 planning 2.5', 'shared', '{release,deadline}',
     'v2.5.0 is planned for 16 October; its heart is the new pricing table from FP-1190.'),
    ('demo-0213', '2026-08-06 10:03', 'desk', 'anna', '2026-08-06 planning 2.5', 'shared', '{project,FP-1240}',
     'FP-1240: shops get their own tracking page with their logo, Chiara designs it.'),
    ('demo-0214', '2026-08-06 10:06', 'desk', 'anna', '2026-08-06 planning 2.5', 'shared', '{decision}',
     'We will not build a mobile app this year; the web pages have to be good enough on a phone.'),
    ('demo-0215', '2026-08-06 10:09', 'desk', 'anna', '2026-08-06 planning 2.5', 'shared', '{decision,hosting}',
     'Hosting stays in Norway, the cheaper offer from abroad was turned down because of the customs data.'),
    ('demo-0216', '2026-08-06 10:12', 'desk', 'anna', '2026-08-06 planning 2.5', 'shared', '{budget}',
     'Each of us may spend 12,000 kroner on courses or conferences this year.'),

    -- 2026-08-09 regen
    ('demo-0217', '2026-08-09 15:20', 'huginn', 'chiara', '2026-08-09 regen', 'personal', '{health,deutsch}',
     'Die Rheumatologin hat es bestätigt, ich bekomme ab September alle zwei Wochen eine Spritze.'),
    ('demo-0218', '2026-08-09 15:23', 'huginn', 'chiara', '2026-08-09 regen', 'personal', '{music,deutsch}',
     'Der Chor singt am 28. November das Weihnachtsoratorium in der Johanneskirche.'),
    ('demo-0219', '2026-08-09 15:26', 'huginn', 'chiara', '2026-08-09 regen', 'personal', '{family,عربي}',
     'موعد وصول والدة سمير هو الثالث من أكتوبر في الساعة السابعة مساءً.'),

    -- 2026-08-13 kitchen
    ('demo-0220', '2026-08-13 19:00', 'huginn', 'chiara', '2026-08-13 kitchen', 'group:kitchen', '{recipe}',
     'Plum dumplings: potato dough, one sugar cube in each plum, twelve minutes in barely simmering water.'),
    ('demo-0221', '2026-08-13 19:04', 'huginn', 'anna', '2026-08-13 kitchen', 'group:kitchen', '{kitchen,norsk}',
     'Kantarellene fant vi bak vannet på Fløyen, rett ved den store steinen; ikke si det til noen.'),
    ('demo-0222', '2026-08-13 19:08', 'huginn', 'chiara', '2026-08-13 kitchen', 'group:kitchen', '{kitchen,deutsch}',
     'Mein gutes Messer darf nicht in die Spülmaschine, bitte nur von Hand waschen.'),

    -- 2026-08-16 party again
    ('demo-0223', '2026-08-16 20:30', 'huginn', 'anna', '2026-08-16 party again', 'group:party', '{party,secret}',
     'The boathouse is double-booked, so Chiara''s surprise moves to Kari''s barn at Fana; same evening, 19 September, from half past six.'),
    ('demo-0224', '2026-08-16 20:34', 'huginn', 'ben', '2026-08-16 party again', 'group:party', '{party,secret}',
     'The present from all of us is a week on a sailing course in June, 9,400 kroner together.'),
    ('demo-0225', '2026-08-16 20:37', 'huginn', 'anna', '2026-08-16 party again', 'group:party', '{party,secret}',
     'The choir sings for her at eight, they have known since yesterday and keep quiet.'),

    -- 2026-08-20 food list
    ('demo-0226', '2026-08-20 12:40', 'huginn', 'ben', '2026-08-20 food list', 'personal', '{food,restaurant}',
     'New favourite restaurant: the Georgian place in Skostredet, they know what gluten is.'),
    ('demo-0227', '2026-08-20 12:43', 'huginn', 'ben', '2026-08-20 food list', 'personal', '{food}',
     'Ordinary beer is out, but the brewery in Arna makes one from millet.'),
    ('demo-0228', '2026-08-20 12:46', 'huginn', 'ben', '2026-08-20 food list', 'personal', '{books}',
     'Reading a history of tides and timetables, slow but lovely.'),

    -- 2026-08-25 outage
    ('demo-0229', '2026-08-25 14:00', 'desk', 'ben', '2026-08-25 outage', 'shared', '{incident}',
     'Between 11:20 and 13:05 no mails went out; the queue on 10.20.4.22 was stuck behind one attachment of 60 megabytes.'),
    ('demo-0230', '2026-08-25 14:03', 'desk', 'ben', '2026-08-25 outage', 'shared', '{incident,decision}',
     'Attachments are limited to 10 megabytes from today.'),
    ('demo-0231', '2026-08-25 14:06', 'desk', 'ben', '2026-08-25 outage', 'shared', '{incident}',
     'Announce every outage longer than ten minutes on status.example.org first, then by mail.'),

    -- 2026-08-29 school
    ('demo-0232', '2026-08-29 17:10', 'huginn', 'anna', '2026-08-29 school', 'personal', '{family}',
     'Liv wants to learn the violin; the music school has a place on Thursdays at four from September.'),
    ('demo-0233', '2026-08-29 17:13', 'huginn', 'anna', '2026-08-29 school', 'personal', '{health,allergy}',
     'The doctor prescribed Liv an adrenaline pen; one lies at school and one in the red bag by the front door.')
  ) AS s(key, said, bot, who, thread, audience, tags, content)
  JOIN demo_people AS p USING (who)
  ORDER BY s.key) AS said;

---------------------------------------------------------------------------------------------------
-- September 2026
---------------------------------------------------------------------------------------------------

SELECT format('  %-10s %3s statements  %6s s', 'September', count(said.id),
              round(extract(epoch FROM clock_timestamp() - statement_timestamp())::numeric, 1))
FROM (
  SELECT muninn.remember(bot => s.bot, person => p.id, content => s.content, tags => s.tags::text[],
                         audience => s.audience, valid_from => s.said::timestamptz, source => 'demo',
                         thread => s.thread, key => s.key) AS id
  FROM (VALUES
    -- 2026-09-02 rota
    ('demo-0234', '2026-09-02 12:00', 'desk', 'ben', '2026-09-02 rota', 'group:oncall', '{oncall}',
     'Eirin joins the rota: from week 37 each of us has every third week.'),
    ('demo-0235', '2026-09-02 12:04', 'desk', 'chiara', '2026-09-02 rota', 'group:oncall', '{oncall}',
     'A night call is paid with 1,200 kroner or half a day off, choose in the form.'),

    -- 2026-09-05 passport
    ('demo-0236', '2026-09-05 10:10', 'huginn', 'ben', '2026-09-05 passport', 'personal', '{travel}',
     'Passport office: 24 September at 13:40, bring the old one and no photo.'),
    ('demo-0237', '2026-09-05 10:13', 'huginn', 'ben', '2026-09-05 passport', 'personal', '{travel,中文}',
     '明年春节我要回台北，住在姐姐家，从二月五号到二十号。'),
    ('demo-0238', '2026-09-05 10:16', 'huginn', 'ben', '2026-09-05 passport', 'personal', '{home}',
     'My landlord wants to sell; I have to be out by the end of January.'),

    -- 2026-09-09 design
    ('demo-0239', '2026-09-09 11:00', 'desk', 'chiara', '2026-09-09 design', 'shared', '{design,FP-1240}',
     'The new pages use the colours #0B3954 and #FF6663, and a typeface with a free licence.'),
    ('demo-0240', '2026-09-09 11:03', 'desk', 'chiara', '2026-09-09 design', 'shared', '{design,decision}',
     'There will be no dark mode in v2.5.0, contrast first.'),
    ('demo-0241', '2026-09-09 11:06', 'desk', 'chiara', '2026-09-09 design', 'shared', '{customer,deutsch}',
     'Der Kunde in Hamburg bekommt nun doch nur drei Prozent Rabatt, das ist mit Anna abgesprochen.'),

    -- 2026-09-14 week
    ('demo-0242', '2026-09-14 19:20', 'huginn', 'anna', '2026-09-14 week', 'personal', '{health}',
     'No more red wine for me, six weeks without a migraine since I stopped.'),
    ('demo-0243', '2026-09-14 19:23', 'huginn', 'anna', '2026-09-14 week', 'personal', '{work}',
     'I''m giving a talk on ferries and parcels at the logistics day in Gothenburg on 4 November.'),
    ('demo-0244', '2026-09-14 19:26', 'huginn', 'anna', '2026-09-14 week', 'personal', '{money}',
     'The bank raised our mortgage to 4.95 percent from October.'),

    -- 2026-09-20 after the party
    ('demo-0245', '2026-09-20 11:00', 'huginn', 'chiara', '2026-09-20 after the party', 'personal', '{family,party}',
     'They fooled me completely: forty people in a barn, my mother, the choir, and I in my gardening jumper 🎉.'),
    ('demo-0246', '2026-09-20 11:03', 'huginn', 'chiara', '2026-09-20 after the party', 'personal', '{gift}',
     'I got a week of sailing school for next June, I could have cried.'),
    ('demo-0247', '2026-09-20 11:06', 'huginn', 'chiara', '2026-09-20 after the party', 'personal', '{family,deutsch}',
     'Meine Mutter bleibt noch bis Mittwoch und will unbedingt die Stabkirche sehen.'),

    -- 2026-09-24 dog
    ('demo-0248', '2026-09-24 16:00', 'huginn', 'ben', '2026-09-24 dog', 'personal', '{pets,health}',
     'Biscuit is down to 12.4 kilos, the vet is happy and the food stays at 180 grams.'),
    ('demo-0249', '2026-09-24 16:03', 'huginn', 'ben', '2026-09-24 dog', 'personal', '{pets}',
     'We''ve started agility on Saturdays in Åsane; he loves the tunnel and ignores the rest.'),

    -- 2026-09-28 quarter
    ('demo-0250', '2026-09-28 15:00', 'desk', 'anna', '2026-09-28 quarter', 'personal', '{budget,salary}',
     'Ingrid asked for 640,000; I can offer 625,000 and an extra week off.'),
    ('demo-0251', '2026-09-28 15:03', 'desk', 'anna', '2026-09-28 quarter', 'personal', '{team,plan}',
     'Plan for January: take Ben off the night duty and hire a second backend developer.')
  ) AS s(key, said, bot, who, thread, audience, tags, content)
  JOIN demo_people AS p USING (who)
  ORDER BY s.key) AS said;

---------------------------------------------------------------------------------------------------
-- October 2026
---------------------------------------------------------------------------------------------------

SELECT format('  %-10s %3s statements  %6s s', 'October', count(said.id),
              round(extract(epoch FROM clock_timestamp() - statement_timestamp())::numeric, 1))
FROM (
  SELECT muninn.remember(bot => s.bot, person => p.id, content => s.content, tags => s.tags::text[],
                         audience => s.audience, valid_from => s.said::timestamptz, source => 'demo',
                         thread => s.thread, key => s.key) AS id
  FROM (VALUES
    -- 2026-10-01 apartment hunt
    ('demo-0252', '2026-10-01 20:00', 'huginn', 'ben', '2026-10-01 apartment hunt', 'personal', '{home}',
     'Viewing on Sunday at two: two rooms in Damsgård, 62 square metres, dogs allowed, 13,900 a month.'),
    ('demo-0253', '2026-10-01 20:03', 'huginn', 'ben', '2026-10-01 apartment hunt', 'personal', '{home,preference}',
     'What matters to me in a flat: ground floor or lift, a bathtub for the dog, ten minutes to the quay.'),

    -- 2026-10-04 besuch
    ('demo-0254', '2026-10-04 22:10', 'huginn', 'chiara', '2026-10-04 besuch', 'personal', '{family,deutsch}',
     'Samirs Mutter hat uns drei Kilo Pistazien mitgebracht; sie schläft im Arbeitszimmer.'),
    ('demo-0255', '2026-10-04 22:13', 'huginn', 'chiara', '2026-10-04 besuch', 'personal', '{family}',
     'I managed a whole breakfast in Arabic, mostly about olives.'),
    ('demo-0256', '2026-10-04 22:16', 'huginn', 'chiara', '2026-10-04 besuch', 'personal', '{health,deutsch}',
     'Die erste Spritze habe ich gut vertragen, nur etwas müde am nächsten Tag.'),

    -- 2026-10-07 planning
    ('demo-0257', '2026-10-07 10:00', 'desk', 'anna', '2026-10-07 planning', 'shared', '{release,deadline}',
     'v2.5.0 comes on 6 November, not on 16 October; two ferry companies sent their tariffs too late.'),
    ('demo-0258', '2026-10-07 10:03', 'desk', 'anna', '2026-10-07 planning', 'shared', '{project,FP-1190}',
     'FP-1190 is done, prices are now read from one table instead of seven spreadsheets.'),
    ('demo-0259', '2026-10-07 10:06', 'desk', 'anna', '2026-10-07 planning', 'shared', '{customer}',
     'The pottery shop in Ålesund has cancelled; they say the early boat was missed four times.'),
    ('demo-0260', '2026-10-07 10:09', 'desk', 'anna', '2026-10-07 planning', 'shared', '{customer}',
     'New customer: a cheese dairy in Undredal with cooled parcels twice a week.'),

    -- 2026-10-11 wedding
    ('demo-0261', '2026-10-11 13:00', 'huginn', 'ben', '2026-10-11 wedding', 'personal', '{friends}',
     'The speech went well, the story with the kayak got the biggest laugh.'),
    ('demo-0262', '2026-10-11 13:03', 'huginn', 'ben', '2026-10-11 wedding', 'personal', '{friends}',
     'Henrik and Sunniva are moving to Tromsø in spring.'),

    -- 2026-10-15 kitchen
    ('demo-0263', '2026-10-15 18:30', 'huginn', 'anna', '2026-10-15 kitchen', 'group:kitchen', '{recipe}',
     'Lefse dough must rest overnight in the cold, and roll it with the grooved pin.'),
    ('demo-0264', '2026-10-15 18:34', 'huginn', 'chiara', '2026-10-15 kitchen', 'group:kitchen', '{kitchen}',
     'Samir''s mother showed us maqluba: fry the aubergines first, never stir, and let it rest ten minutes before you turn it over.'),
    ('demo-0265', '2026-10-15 18:38', 'huginn', 'anna', '2026-10-15 kitchen', 'group:kitchen', '{kitchen,norsk}',
     'Fårikål til åtte: tre kilo lam, tre kilo kål, hel pepper, to og en halv time på svak varme.'),
    ('demo-0266', '2026-10-15 18:41', 'huginn', 'anna', '2026-10-15 kitchen', 'group:kitchen', '{kitchen}',
     'If Ben comes to dinner we bake the flat bread with buckwheat, he asked for it and didn''t say why.'),

    -- 2026-10-19 høst
    ('demo-0267', '2026-10-19 20:00', 'huginn', 'anna', '2026-10-19 høst', 'personal', '{family,norsk}',
     'Liv øver fiolin ti minutter hver dag etter maten, og katten går ut.'),
    ('demo-0268', '2026-10-19 20:03', 'huginn', 'anna', '2026-10-19 høst', 'personal', '{hus,norsk}',
     'Takrennen på Nordnes lekker ved inngangen; blikkenslageren kommer mandag den 26.'),
    ('demo-0269', '2026-10-19 20:06', 'huginn', 'anna', '2026-10-19 høst', 'personal', '{pets,health}',
     'Pelle''s dose is down to a quarter tablet, his last blood values were good.'),

    -- 2026-10-23 moving
    ('demo-0270', '2026-10-23 19:00', 'huginn', 'ben', '2026-10-23 moving', 'personal', '{home}',
     'I got the flat in Damsgård and move in on 12 December; the address is Repslagerløkken 103.'),
    ('demo-0271', '2026-10-23 19:03', 'huginn', 'ben', '2026-10-23 moving', 'personal', '{home}',
     'The deposit is three months'' rent, 41,700 kroner, into a locked account.'),
    ('demo-0272', '2026-10-23 19:06', 'huginn', 'ben', '2026-10-23 moving', 'personal', '{pets}',
     'I''ll miss Oddvar; ask me in December to buy him a good bottle as a thank-you.'),

    -- 2026-10-28 incident
    ('demo-0273', '2026-10-28 01:10', 'desk', 'ben', '2026-10-28 incident', 'group:oncall', '{incident}',
     'The switch to winter time doubled all departures between two and three; fixed in v2.4.3.'),
    ('demo-0274', '2026-10-28 01:14', 'desk', 'ben', '2026-10-28 incident', 'group:oncall', '{incident,tracking-worker}',
     'The memory problem of tracking-worker is gone since timetables are read line by line.')
  ) AS s(key, said, bot, who, thread, audience, tags, content)
  JOIN demo_people AS p USING (who)
  ORDER BY s.key) AS said;

---------------------------------------------------------------------------------------------------
-- November 2026
---------------------------------------------------------------------------------------------------

SELECT format('  %-10s %3s statements  %6s s', 'November', count(said.id),
              round(extract(epoch FROM clock_timestamp() - statement_timestamp())::numeric, 1))
FROM (
  SELECT muninn.remember(bot => s.bot, person => p.id, content => s.content, tags => s.tags::text[],
                         audience => s.audience, valid_from => s.said::timestamptz, source => 'demo',
                         thread => s.thread, key => s.key) AS id
  FROM (VALUES
    -- 2026-11-02 dunkel
    ('demo-0275', '2026-11-02 18:00', 'huginn', 'chiara', '2026-11-02 dunkel', 'personal', '{health,deutsch}',
     'Gegen die Wintermüdigkeit sitze ich morgens zwanzig Minuten vor der hellen Lampe.'),
    ('demo-0276', '2026-11-02 18:03', 'huginn', 'chiara', '2026-11-02 dunkel', 'personal', '{boat}',
     'We found a boat: an old wooden double-ender in Os for 85,000, engine from 1998.'),
    ('demo-0277', '2026-11-02 18:06', 'huginn', 'chiara', '2026-11-02 dunkel', 'personal', '{pets,deutsch}',
     'Archimedes frisst nichts mehr, Mitte November kommt er wieder in den Kühlschrank.'),

    -- 2026-11-03 gothenburg
    ('demo-0278', '2026-11-03 07:10', 'huginn', 'anna', '2026-11-03 gothenburg', 'personal', '{travel}',
     'Train to Gothenburg tomorrow leaves at 6:53, hotel near the fish church, back on Thursday evening.'),
    ('demo-0279', '2026-11-03 07:13', 'huginn', 'anna', '2026-11-03 gothenburg', 'personal', '{family}',
     'Liv sleeps at her friend Ada''s on Wednesday; Ada''s mother has the number +47 00 55 13 77.'),

    -- 2026-11-06 release
    ('demo-0280', '2026-11-06 14:00', 'desk', 'ben', '2026-11-06 release', 'shared', '{release}',
     'v2.5.0 is live since 13:40; the pricing table works and nobody has called yet.'),
    ('demo-0281', '2026-11-06 14:03', 'desk', 'ben', '2026-11-06 release', 'shared', '{release,billing-api}',
     'billing-api now refuses invoices without VAT instead of writing them, so ERR_4711 stops the run and pages the person on call.'),
    ('demo-0282', '2026-11-06 14:06', 'desk', 'ben', '2026-11-06 release', 'shared', '{project,FP-1301}',
     'FP-1301 collects what we postponed: dark mode, the mirrored barcode preview, the Danish time zone.'),

    -- 2026-11-10 december
    ('demo-0283', '2026-11-10 20:00', 'huginn', 'ben', '2026-11-10 december', 'personal', '{中文}',
     '十二月六号考五级，我最怕的是写作部分。'),
    ('demo-0284', '2026-11-10 20:03', 'huginn', 'ben', '2026-11-10 december', 'personal', '{health}',
     'Half a year without wheat and I''ve stopped falling asleep after lunch.'),
    ('demo-0285', '2026-11-10 20:05', 'huginn', 'ben', '2026-11-10 december', 'personal', '{health,allergy}',
     'I''m allergic to penicillin, it gave me a swollen face when I was twelve.'),
    ('demo-0286', '2026-11-10 20:06', 'huginn', 'ben', '2026-11-10 december', 'personal', '{gift}',
     'Mei wants a hand-knitted jumper from here, size M, anything but red.'),

    -- 2026-11-14 jul
    ('demo-0287', '2026-11-14 10:00', 'huginn', 'anna', '2026-11-14 jul', 'personal', '{gift,norsk}',
     'Liv ønsker seg en lommekniv og et ekte teleskop til jul 🔭.'),
    ('demo-0288', '2026-11-14 10:03', 'huginn', 'anna', '2026-11-14 jul', 'personal', '{family,norsk}',
     'Julaften feirer vi hos mor i Åsane, pinnekjøtt klokka fem.'),
    ('demo-0289', '2026-11-14 10:06', 'huginn', 'anna', '2026-11-14 jul', 'personal', '{gift,secret}',
     'Jonas gets a weekend at the hot springs in Iceland for Christmas; he opens my mail sometimes, so no confirmations to the shared address.'),

    -- 2026-11-18 year end
    ('demo-0290', '2026-11-18 11:00', 'desk', 'anna', '2026-11-18 year end', 'shared', '{team}',
     'The Christmas dinner is on 11 December at half past six at the old customs house, partners included.'),
    ('demo-0291', '2026-11-18 11:03', 'desk', 'anna', '2026-11-18 year end', 'shared', '{team}',
     'The office is closed from 24 December to 2 January; on-call goes on.'),
    ('demo-0292', '2026-11-18 11:06', 'desk', 'anna', '2026-11-18 year end', 'shared', '{budget}',
     'We have given notice for the storage room at the Dokken quay and leave it at the end of March.'),

    -- 2026-11-21 chat
    ('demo-0293', '2026-11-21 22:00', 'huginn', 'chiara', '2026-11-21 chat', 'personal', '{boat,deutsch}',
     'Wir haben das Boot gekauft, nach zähem Handeln für 78.000 Kronen ⛵.'),
    ('demo-0294', '2026-11-21 22:03', 'huginn', 'chiara', '2026-11-21 chat', 'personal', '{boat}',
     'The boat is called Sturmmöwe and stays so, renaming brings bad luck.'),
    ('demo-0295', '2026-11-21 22:06', 'huginn', 'chiara', '2026-11-21 chat', 'personal', '{health}',
     'My fingers are much better; I could open a jar of jam by myself again.')
  ) AS s(key, said, bot, who, thread, audience, tags, content)
  JOIN demo_people AS p USING (who)
  ORDER BY s.key) AS said;

DROP TABLE demo_people;
\pset tuples_only off
\pset format aligned
RESET timezone;
