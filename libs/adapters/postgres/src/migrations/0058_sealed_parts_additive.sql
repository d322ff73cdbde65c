-- Sealed contents lie in parts by the time that their ids begin with, so that what was erased can be taken out of the files of one
-- part while the others are used. What there is becomes the first part, without a scan; it is divided later, step by step.
create schema if not exists answer_evidence_parts;
alter table answer_evidence.sealed_contents set schema answer_evidence_parts;
alter table answer_evidence_parts.sealed_contents rename to sealed_contents_0;
alter index answer_evidence_parts.sealed_contents_pkey rename to sealed_contents_0_pkey;
alter index answer_evidence_parts.sealed_contents_due rename to sealed_contents_0_due;
-- Nobody but their owner has rights to parts: the rules of the whole stand at the whole.
drop policy one_workspace on answer_evidence_parts.sealed_contents_0;
drop policy work_of_every_workspace on answer_evidence_parts.sealed_contents_0;
alter table answer_evidence_parts.sealed_contents_0 no force row level security, disable row level security;
revoke all on answer_evidence_parts.sealed_contents_0 from answer_evidence_app, answer_evidence_relay;
revoke all (workspace_id, due_at) on answer_evidence_parts.sealed_contents_0 from answer_evidence_app, answer_evidence_relay;

create table answer_evidence.sealed_contents
  (like answer_evidence_parts.sealed_contents_0 including defaults including storage) partition by range (object_id);
alter table answer_evidence.sealed_contents
  add primary key (workspace_id, object_id),
  alter column wrapped_key set statistics 0, alter column texts set statistics 0, alter column items set statistics 0;
create index sealed_contents_due on answer_evidence.sealed_contents (workspace_id, due_at);
alter table answer_evidence.sealed_contents
  attach partition answer_evidence_parts.sealed_contents_0 for values from (minvalue) to (maxvalue);

grant select, insert, delete, update (due_at) on answer_evidence.sealed_contents to answer_evidence_app;
grant select (workspace_id, due_at) on answer_evidence.sealed_contents to answer_evidence_relay;
alter table answer_evidence.sealed_contents enable row level security, force row level security;
create policy one_workspace on answer_evidence.sealed_contents
  using (workspace_id = answer_evidence.current_workspace())
  with check (workspace_id = answer_evidence.current_workspace());
create policy work_of_every_workspace on answer_evidence.sealed_contents for select to answer_evidence_relay using (true);

-- In which spans of time the ids of erased sealed contents begin, each of about 17 minutes; null: nobody said so.
alter table answer_evidence.erasures add column sealed bigint[];
grant update (sealed) on answer_evidence.erasures to answer_evidence_app;
create or replace function answer_evidence.erase_triage_texts() returns trigger language plpgsql as $$
begin
  delete from answer_evidence.triage_texts
    where workspace_id = new.workspace_id and answer_log_id = new.record_id;
  if found then
    insert into answer_evidence.erasures (xid, sealed) values (pg_current_xact_id(), '{}') on conflict do nothing;
  end if;
  return null;
end $$;
