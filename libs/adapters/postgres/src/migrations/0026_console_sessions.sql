-- Browsers that are signed in. What a session may do is that of its token, which the log names; this says how long it
-- is unused, and needs the secret of the browser's cookie to be of any use.
create table answer_evidence.console_sessions (
  workspace_id uuid not null references answer_evidence.workspaces (id),
  key bytea not null check (octet_length(key) = 32),
  member_id uuid not null,
  token_id uuid not null,
  salt bytea not null check (octet_length(salt) = 32),
  role text not null,
  credential_entry_id uuid not null,
  expires_at bigint not null,
  used_at bigint not null,
  primary key (workspace_id, key)
);
create index console_sessions_member on answer_evidence.console_sessions (workspace_id, member_id);
grant select, insert, update (used_at), delete on answer_evidence.console_sessions to answer_evidence_app;
alter table answer_evidence.console_sessions enable row level security;
alter table answer_evidence.console_sessions force row level security;
create policy one_workspace on answer_evidence.console_sessions
  using (workspace_id = answer_evidence.current_workspace())
  with check (workspace_id = answer_evidence.current_workspace());
