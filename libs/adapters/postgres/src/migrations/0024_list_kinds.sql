-- Few applications, environments and modes make few kinds of records. By these indexes a list finds the kinds that there
-- are, and reads each from its place on: whatever pair of filters is asked for, no record is read in vain.
-- Each index has an expression of its own in place of the application, so that what is asked by one matches no other
-- index: a planner without statistics would take any of them. Row level security lets none be searched by `coalesce`.
create index answer_records_kind on answer_evidence.answer_records
  (workspace_id, (case when application_key = '' then '' else application_key end), environment,
   (case when mode is null then '' else mode end), leaf_index);
create index answer_records_actor_kind on answer_evidence.answer_records
  (workspace_id, actor_id_hash, (case when application_key <> '' then application_key else '' end), environment,
   (case when mode is null then '' else mode end), leaf_index)
  where actor_id_hash is not null;
drop index answer_evidence.answer_records_environment;
drop index answer_evidence.answer_records_mode;
drop index answer_evidence.answer_records_actor;
