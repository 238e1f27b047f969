-- Sizes at which a governing verb must still end soon: 50,000 memories of one
-- person, 57,000 events that wait, 5,000 tombstones. For an empty database of a
-- server of your own: psql -X -f tests/bench/sizes.sql DATABASE
\set QUIET on
\timing off
set client_min_messages = warning;
create extension if not exists muninn cascade;
select muninn_admin.schedule_task(name, enabled => false) from muninn_admin.tasks();
select pg_sleep(6);
select muninn.create_bot('big'), muninn.create_bot('other');
select muninn.person('t','p1') as p \gset
select muninn.person('t','p2') as q \gset
\set QUIET off
\echo load 50,000
\timing on
select count(muninn.remember('big', :p, 'Memory ' || n || ' speaks of ' || md5(n::text) || ' and ' || md5((n*7)::text), tags => array['t' || n % 50], embedding => (select array_agg(sin(i * n)::real) from generate_series(1, 384) i))) from generate_series(1, 50000) n;
select muninn_admin.run_worker('index');
\echo corrected 500, evidence on 5000
select count(muninn.correct('big', :p, m.id, m.content || ' indeed', embedding => array_fill(0.1::real, array[384]))) from (select id, content from muninn.memory where author_id=:p order by id limit 500) m;
select count(muninn.reinforce('big', :p, m.id)) from (select id from muninn.memory where status='verified' and author_id=:p order by id desc limit 5000) m;
\echo shared by p: 1000
select count(muninn.share('big', :p, m.id)) from (select id from muninn.memory where author_id=:p and status='verified' order by id desc limit 1000) m;
\echo pending events
select count(*) from muninn.audit_pending;
\echo seal all
select muninn_admin.run_worker('audit');
select * from muninn_admin.verify_audit();
\echo history of one
select count(*) from muninn.history('big', :p, (select superseded_by from muninn.memory where superseded_by is not null limit 1));
\echo delete_person 50,000
select muninn_admin.delete_person(:p, authored => 'forget');
select count(*) from muninn.memory;
\echo 5,000 tombstones: remember + forget_many
select count(muninn.remember('other', :q, 'Statement ' || n || md5(n::text), embedding => array_fill(0.1::real, array[384]))) from generate_series(1, 5000) n;
select muninn.forget_many('other', :q, (select array_agg(id) from muninn.memory where author_id = :q));
select count(*) from muninn.tombstone;
\echo 1000 remembers among 5,000 tombstones
select count(muninn.remember('other', :q, 'Fresh ' || n || md5(n::text), embedding => array_fill(0.1::real, array[384]))) from generate_series(1, 1000) n;
