-- A list of records by what became of them is read from its place on, and from states alone: they repeat the place of the
-- record in the log, and what of it lists filter by that many records have.
alter table answer_evidence.record_states
  add column leaf_index bigint,
  add column application_key text,
  add column environment text,
  add column mode text,
  add column actor_id_hash text;
-- The owner does not see rows of workspaces either, except while the tables do not insist on it.
alter table answer_evidence.record_states no force row level security;
alter table answer_evidence.answer_records no force row level security;
update answer_evidence.record_states s set leaf_index = r.leaf_index, application_key = r.application_key,
    environment = r.environment, mode = r.mode, actor_id_hash = r.actor_id_hash
  from answer_evidence.answer_records r where r.workspace_id = s.workspace_id and r.id = s.record_id;
-- A status without a record is damage, which the ledger check reports; it must not keep the service from starting.
update answer_evidence.record_states set leaf_index = -1, application_key = '', environment = '' where leaf_index is null;
alter table answer_evidence.record_states force row level security;
alter table answer_evidence.answer_records force row level security;
alter table answer_evidence.record_states
  alter column leaf_index set not null,
  alter column application_key set not null,
  alter column environment set not null;
drop index answer_evidence.record_states_status;
create index record_states_status on answer_evidence.record_states (workspace_id, status, leaf_index);
