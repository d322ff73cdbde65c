-- What the idempotency key of a record was used for, which had a row of its own: 16 bytes of the MAC, then the
-- fingerprint. Records from before keep their rows.
alter table answer_evidence.answer_records add column key_claim bytea;
