-- Every filter of a list of records has an index in the order of the list, and so has a list without any: a page is read
-- from its place on, and nothing is sorted, whatever the planner knows of the tables.
drop index answer_evidence.answer_records_trace;
drop index answer_evidence.answer_records_message;
drop index answer_evidence.answer_records_actor;
drop index answer_evidence.answer_records_session;
create index answer_records_log on answer_evidence.answer_records (workspace_id, leaf_index);
create index answer_records_environment on answer_evidence.answer_records (workspace_id, environment, leaf_index);
create index answer_records_key on answer_evidence.answer_records (workspace_id, idempotency_key, leaf_index)
  where idempotency_key is not null;
create index answer_records_trace on answer_evidence.answer_records (workspace_id, external_trace_id, leaf_index)
  where external_trace_id is not null;
create index answer_records_message on answer_evidence.answer_records (workspace_id, external_message_id, leaf_index)
  where external_message_id is not null;
create index answer_records_mode on answer_evidence.answer_records (workspace_id, mode, leaf_index)
  where mode is not null;
create index answer_records_actor on answer_evidence.answer_records (workspace_id, actor_id_hash, leaf_index)
  where actor_id_hash is not null;
create index answer_records_session on answer_evidence.answer_records (workspace_id, session_id_hash, leaf_index)
  where session_id_hash is not null;
-- Few records change their status; a list of those begins with their states.
create index record_states_status on answer_evidence.record_states (workspace_id, status);
