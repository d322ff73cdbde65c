-- Sign-ins that devices asked for and that wait for a person, of all processes of the installation together: a device
-- that asks is nobody yet. `key` is the SHA-256 of the device's code, `user_key` a MAC of the person's code, which is
-- short. `details` is sealed. `mac` binds a row and what was decided of it under a secret outside the database.
create table answer_evidence.device_logins (
  key bytea primary key check (octet_length(key) = 32),
  user_key bytea not null unique check (octet_length(user_key) = 32),
  workspace_id uuid,
  details bytea not null,
  expires_at bigint not null,
  interval_seconds integer not null,
  polled_at bigint,
  status text not null check (status in ('pending', 'approved', 'denied')),
  member_id uuid,
  credential_entry_id uuid,
  token_id uuid,
  mac bytea not null
);
create index device_logins_expiry on answer_evidence.device_logins (expires_at);
grant select, insert, delete,
  update (interval_seconds, polled_at, status, member_id, credential_entry_id, token_id, mac)
  on answer_evidence.device_logins to answer_evidence_app;
