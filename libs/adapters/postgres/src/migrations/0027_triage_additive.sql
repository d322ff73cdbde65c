-- What people do about findings of reconciliations. It stands beside the findings, which never change.
--
-- A step is a row that stays. Its text is in a table of its own, because it is erased: on request, with its retention,
-- and with the record that the finding is about. The database itself does the last, so that no process forgets it, not
-- even one of an earlier release.

create table answer_evidence.triage_steps (
  workspace_id uuid not null,
  run_id uuid not null,
  position integer not null,
  version integer not null check (version > 0),
  action text not null check (action in ('assign', 'comment', 'resolve', 'reopen', 'erase')),
  member_id uuid not null,
  token_id uuid not null,
  at bigint not null,
  state text not null check (state in ('open', 'resolved')),
  assignee_id uuid,
  resolution text,
  text_until bigint,
  erases integer,
  mac bytea,
  primary key (workspace_id, run_id, position, version)
);
create trigger insert_only before update or delete on answer_evidence.triage_steps
  for each row execute function answer_evidence.refuse_change();
create trigger never_emptied before truncate on answer_evidence.triage_steps
  for each statement execute function answer_evidence.refuse_change();
grant select, insert on answer_evidence.triage_steps to answer_evidence_app;

create table answer_evidence.triage_texts (
  workspace_id uuid not null,
  run_id uuid not null,
  position integer not null,
  version integer not null,
  answer_log_id uuid,
  wrapped_key bytea not null,
  text bytea not null,
  due_at bigint not null,
  primary key (workspace_id, run_id, position, version)
);
create index triage_texts_due on answer_evidence.triage_texts (workspace_id, due_at);
create index triage_texts_record on answer_evidence.triage_texts (workspace_id, answer_log_id)
  where answer_log_id is not null;
-- The planner's statistics would be a second copy of what is in these columns.
alter table answer_evidence.triage_texts
  alter column wrapped_key set statistics 0, alter column text set statistics 0;
grant select, insert, delete on answer_evidence.triage_texts to answer_evidence_app;

do $$
declare
  name text;
begin
  foreach name in array array['triage_steps', 'triage_texts'] loop
    execute format('alter table answer_evidence.%I enable row level security', name);
    execute format('alter table answer_evidence.%I force row level security', name);
    execute format('create policy one_workspace on answer_evidence.%I
      using (workspace_id = answer_evidence.current_workspace())
      with check (workspace_id = answer_evidence.current_workspace())', name);
  end loop;
end $$;

-- With a redaction of the record, and with the expiry of its texts. What was erased is noted for the vacuum.
create function answer_evidence.erase_triage_texts() returns trigger language plpgsql as $$
begin
  delete from answer_evidence.triage_texts
    where workspace_id = new.workspace_id and answer_log_id = new.record_id;
  if found then
    insert into answer_evidence.erasures (xid) values (pg_current_xact_id()) on conflict do nothing;
  end if;
  return null;
end $$;
create trigger erase_triage_texts after insert on answer_evidence.lifecycle_events
  for each row when (new.event_type = 'redacted') execute function answer_evidence.erase_triage_texts();
create trigger erase_triage_texts after insert on answer_evidence.text_expiries
  for each row execute function answer_evidence.erase_triage_texts();
