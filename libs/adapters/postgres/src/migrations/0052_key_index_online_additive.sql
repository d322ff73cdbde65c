-- An application uses an idempotency key for one record, also where this release and the one before write side by side.
-- In the place of an index of the same columns that was not unique.
create unique index concurrently if not exists answer_records_used_key
  on answer_evidence.answer_records (workspace_id, idempotency_key, application_key) where idempotency_key is not null;
drop index concurrently if exists answer_evidence.answer_records_key;
