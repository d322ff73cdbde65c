-- Members under the log, and how they sign in.
--
-- A member's row is as of their newest member_changed entry, whose seq is `version`. Rows of the first release have
-- version 0 until a start has named them in the log. Names are never used again, so a removed member keeps their row.

alter table answer_evidence.members
  add column removed_at bigint,
  add column version integer not null default 0;

revoke update on answer_evidence.members from answer_evidence_app;
grant update (role, disabled_at, removed_at, version) on answer_evidence.members to answer_evidence_app;

-- A password's hash, or the hash of the secret of a link that sets one; never both. `entry_id` is the member_changed entry
-- that says so, and the MAC is keyed by a secret that is not in the database: whoever can write here makes no password.
create table answer_evidence.member_credentials (
  workspace_id uuid not null,
  member_id uuid not null,
  entry_id uuid not null,
  password_hash text,
  link_hash bytea,
  link_expires_at bigint,
  mac bytea not null,
  primary key (workspace_id, member_id),
  check ((password_hash is null) = (link_hash is not null) and (link_hash is null) = (link_expires_at is null))
);

grant select, insert, delete, update (entry_id, password_hash, link_hash, link_expires_at, mac)
  on answer_evidence.member_credentials to answer_evidence_app;

alter table answer_evidence.member_credentials enable row level security;
alter table answer_evidence.member_credentials force row level security;
create policy one_workspace on answer_evidence.member_credentials
  using (workspace_id = answer_evidence.current_workspace())
  with check (workspace_id = answer_evidence.current_workspace());

-- Which tokens a member has is asked at each login and each change of a member, under the head's lock.
create index tokens_of_user on answer_evidence.tokens (workspace_id, user_id, expires_at)
  where user_id is not null and revoked_at is null;
