-- The ledger and the records of answer evidence.
--
-- Every key begins with the workspace id and every statement names it, so that tables can be partitioned or distributed
-- by it. Times are microseconds since 1970. Columns named ..._json hold JCS text exactly as it was hashed.
--
-- Three fences: the service runs as answer_evidence_app, which has no UPDATE or DELETE on what was recorded; triggers
-- refuse both to every role, owner included; and row-level security, forced, shows one workspace at a time.

create schema answer_evidence;

do $$
begin
  create role answer_evidence_app nologin;
exception when duplicate_object or unique_violation then
  null; -- Roles belong to the cluster; another database of it may have made this one, or be making it right now.
end $$;

-- The service logs in as the owner and takes the other role at once. A superuser may do so anyway; an owner that is none needs
-- the membership, which whoever made the role can give.
do $$
begin
  execute format('grant answer_evidence_app to %I', current_user);
exception when insufficient_privilege or invalid_grant_operation then
  null;
end $$;

grant usage on schema answer_evidence to answer_evidence_app;

create function answer_evidence.current_workspace() returns uuid language sql stable
  return nullif(current_setting('answer_evidence.workspace_id', true), '')::uuid;

create function answer_evidence.refuse_change() returns trigger language plpgsql as $$
begin
  raise exception '% on % is refused: what was recorded is never changed', tg_op, tg_table_name
    using errcode = 'restrict_violation';
end $$;

-- One row for the installation: lets a start recognise a wrong master key before it touches anything.
create table answer_evidence.installation (
  singleton boolean primary key default true check (singleton),
  master_key_check bytea not null
);

-- Keys that sign application JWTs; the newest signs.
create table answer_evidence.token_signing_keys (
  kid text primary key,
  wrapped_seed bytea not null,
  created_at bigint not null
);

create table answer_evidence.workspaces (
  id uuid primary key,
  slug text not null unique check (slug ~ '^[a-z0-9]([a-z0-9-]{0,61}[a-z0-9])?$'),
  display_name text not null,
  log_id uuid not null unique,
  origin text not null unique,
  vkey text not null,
  wrapped_key bytea not null,
  wrapped_ledger_seed bytea not null,
  created_at bigint not null
);

create table answer_evidence.members (
  workspace_id uuid not null references answer_evidence.workspaces (id),
  id uuid not null,
  username text not null,
  role text not null check (role in ('manager', 'member')),
  disabled_at bigint,
  created_at bigint not null,
  primary key (workspace_id, id),
  unique (workspace_id, username)
);

create table answer_evidence.ledger_heads (
  workspace_id uuid primary key references answer_evidence.workspaces (id),
  tree_size bigint not null,
  right_edge bytea not null,
  last_at bigint not null,
  settings_version integer not null,
  mac bytea not null
) with (fillfactor = 50);

create table answer_evidence.ledger_leaves (
  workspace_id uuid not null,
  leaf_index bigint not null,
  type text not null,
  id uuid not null,
  subject uuid not null,
  seq bigint not null,
  hash bytea not null,
  at bigint not null,
  leaf_hash bytea not null,
  primary key (workspace_id, leaf_index)
);
create unique index ledger_leaves_object on answer_evidence.ledger_leaves (workspace_id, subject, id);

-- Full tiles only; a partial one is built from the leaves, or from the roots of the tiles below it.
create table answer_evidence.ledger_tiles (
  workspace_id uuid not null,
  level integer not null,
  tile_index bigint not null,
  root bytea not null,
  hashes bytea not null,
  primary key (workspace_id, level, tile_index)
);
-- Hashes do not compress.
alter table answer_evidence.ledger_tiles alter column hashes set storage external;

create table answer_evidence.ledger_commits (
  workspace_id uuid not null,
  from_size bigint not null,
  tree_size bigint not null,
  root bytea not null,
  primary key (workspace_id, tree_size)
);

create table answer_evidence.answer_records (
  workspace_id uuid not null,
  leaf_index bigint not null,
  id uuid not null,
  nonce bytea not null,
  application_key text not null,
  environment text not null,
  idempotency_key text,
  question_hash text not null,
  question_hash_key_id text,
  question_text_state text not null,
  answer_hash text not null,
  answer_hash_key_id text,
  answer_text_state text not null,
  semantic_refs_json text not null,
  source_refs_json text not null,
  evidence_access_event_ids_json text not null,
  external_trace_id text,
  external_message_id text,
  mode text,
  actor_id_hash text,
  session_id_hash text,
  retention_until bigint not null,
  created_by_json text not null,
  settings_version integer not null,
  primary key (workspace_id, id)
);
-- Leaf order is time order, so this one index serves an application's lists and time windows alike.
create unique index answer_records_application
  on answer_evidence.answer_records (workspace_id, application_key, leaf_index);
create index answer_records_trace on answer_evidence.answer_records (workspace_id, external_trace_id)
  where external_trace_id is not null;
create index answer_records_message on answer_evidence.answer_records (workspace_id, external_message_id)
  where external_message_id is not null;
create index answer_records_actor on answer_evidence.answer_records (workspace_id, actor_id_hash)
  where actor_id_hash is not null;
create index answer_records_session on answer_evidence.answer_records (workspace_id, session_id_hash)
  where session_id_hash is not null;

create table answer_evidence.lifecycle_events (
  workspace_id uuid not null,
  record_id uuid not null,
  sequence integer not null,
  id uuid not null,
  nonce bytea not null,
  event_type text not null,
  actor_json text not null,
  prev_event_hash text not null,
  idempotency_key text,
  settings_version integer not null,
  reason_hash text,
  payload_json text not null,
  payload_rest_hash text,
  corrected_answer_json text not null,
  primary key (workspace_id, record_id, sequence)
);

-- Status of a record that is no longer `recorded`.
create table answer_evidence.record_states (
  workspace_id uuid not null,
  record_id uuid not null,
  status text not null check (status in ('recorded', 'corrected', 'voided', 'redacted')),
  primary key (workspace_id, record_id)
);

-- What may be erased: deleted rows take the only copy of their key along.
create table answer_evidence.sealed_contents (
  workspace_id uuid not null,
  object_id uuid not null,
  wrapped_key bytea not null,
  texts bytea,
  items bytea,
  primary key (workspace_id, object_id)
);
-- Ciphertext does not compress.
alter table answer_evidence.sealed_contents alter column texts set storage external;
alter table answer_evidence.sealed_contents alter column items set storage external;

create table answer_evidence.idempotency_keys (
  workspace_id uuid not null,
  scope text not null,
  idempotency_key text not null,
  object_id uuid not null,
  fingerprint bytea not null,
  mac bytea not null,
  primary key (workspace_id, scope, idempotency_key)
);

create table answer_evidence.workspace_entries (
  workspace_id uuid not null,
  id uuid not null,
  type text not null,
  seq bigint not null,
  core_json text not null,
  primary key (workspace_id, id)
);
create index workspace_entries_type on answer_evidence.workspace_entries (workspace_id, type, seq);

create table answer_evidence.hash_keys (
  workspace_id uuid not null,
  id text not null,
  wrapped_key bytea not null,
  primary key (workspace_id, id)
);

create table answer_evidence.tokens (
  workspace_id uuid not null,
  id uuid not null unique,
  kind text not null check (kind in ('user', 'application')),
  name text not null,
  application_key text,
  scopes_json text not null,
  user_id uuid,
  secret_hash bytea,
  expires_at bigint not null,
  created_at bigint not null,
  revoked_at bigint,
  primary key (workspace_id, id)
);
create unique index tokens_live_name on answer_evidence.tokens (workspace_id, name) where revoked_at is null;

create function answer_evidence.refuse_token_change() returns trigger language plpgsql as $$
begin
  if tg_op = 'UPDATE' and old.revoked_at is null and new.revoked_at is not null
     and to_jsonb(new) - 'revoked_at' = to_jsonb(old) - 'revoked_at' then
    return new;
  end if;
  raise exception '% on tokens is refused: a token is only ever revoked', tg_op using errcode = 'restrict_violation';
end $$;
create trigger only_revoked before update or delete on answer_evidence.tokens
  for each row execute function answer_evidence.refuse_token_change();

-- The first leaf at or after a time, or the tree size. `at` ascends strictly with the leaf index, so this is a binary
-- search by primary key and needs no index of its own.
create function answer_evidence.first_leaf_at(workspace uuid, moment bigint, size bigint) returns bigint
language plpgsql stable as $$
declare
  low bigint := 0;
  high bigint := size;
  middle bigint;
  found_at bigint;
begin
  while low < high loop
    middle := (low + high) / 2;
    select l.at into strict found_at from answer_evidence.ledger_leaves l
      where l.workspace_id = workspace and l.leaf_index = middle;
    if found_at < moment then low := middle + 1; else high := middle; end if;
  end loop;
  return low;
end $$;

-- Insert-only tables.
do $$
declare
  name text;
begin
  foreach name in array array['ledger_leaves', 'ledger_tiles', 'ledger_commits', 'answer_records', 'lifecycle_events',
                              'idempotency_keys', 'workspace_entries', 'hash_keys'] loop
    execute format('create trigger insert_only before update or delete on answer_evidence.%I
      for each row execute function answer_evidence.refuse_change()', name);
    execute format('create trigger never_emptied before truncate on answer_evidence.%I
      for each statement execute function answer_evidence.refuse_change()', name);
    execute format('grant select, insert on answer_evidence.%I to answer_evidence_app', name);
  end loop;
end $$;

grant select, insert on answer_evidence.installation, answer_evidence.token_signing_keys, answer_evidence.workspaces
  to answer_evidence_app;
grant select, insert, update on answer_evidence.members, answer_evidence.ledger_heads, answer_evidence.record_states
  to answer_evidence_app;
grant select, insert, delete on answer_evidence.sealed_contents to answer_evidence_app;
grant select, insert, update (revoked_at) on answer_evidence.tokens to answer_evidence_app;

-- Row-level security, for the owner too. `tokens` can also be looked up by the one token id that a request presents,
-- before its workspace is known.
do $$
declare
  name text;
begin
  foreach name in array array['members', 'ledger_heads', 'ledger_leaves', 'ledger_tiles', 'ledger_commits',
                              'answer_records', 'lifecycle_events', 'record_states', 'sealed_contents',
                              'idempotency_keys', 'workspace_entries', 'hash_keys', 'tokens'] loop
    execute format('alter table answer_evidence.%I enable row level security', name);
    execute format('alter table answer_evidence.%I force row level security', name);
    execute format('create policy one_workspace on answer_evidence.%I
      using (workspace_id = answer_evidence.current_workspace())
      with check (workspace_id = answer_evidence.current_workspace())', name);
  end loop;
end $$;
create policy presented_token on answer_evidence.tokens for select
  using (id = nullif(current_setting('answer_evidence.token_id', true), '')::uuid);

-- Moves the head, taking its row lock first. Raises 40001 when the head is not the expected one, so that everything
-- sent after it in the same transaction is undone with it.
create function answer_evidence.advance_head(workspace uuid, expected_size bigint, expected_mac bytea, new_size bigint,
  new_right_edge bytea, new_last_at bigint, new_settings_version integer, new_mac bytea) returns void
language plpgsql as $$
begin
  update answer_evidence.ledger_heads
    set tree_size = new_size, right_edge = new_right_edge, last_at = new_last_at,
        settings_version = new_settings_version, mac = new_mac
    where workspace_id = workspace and tree_size = expected_size and mac = expected_mac;
  if not found then
    raise exception 'the head has moved' using errcode = 'serialization_failure';
  end if;
end $$;
