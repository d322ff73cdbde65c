-- Published checkpoints, and what vouches for them from outside: cosignatures of witnesses and anchors.
--
-- No leaf covers these rows, since they are about the log as a whole. Each has a MAC under a key that is not in the database,
-- and the tally of a workspace has how many there are, under a MAC too, so that none can be altered or taken away unnoticed.

create table answer_evidence.published_checkpoints (
  workspace_id uuid not null references answer_evidence.workspaces (id),
  tree_size bigint not null,
  root bytea not null,
  policy_version bigint not null,
  published_at bigint not null,
  mac bytea not null,
  primary key (workspace_id, tree_size)
);

-- `signature` is the timestamped signature of C2SP tlog-cosignature: 8 bytes of time and 64 of Ed25519.
create table answer_evidence.cosignatures (
  workspace_id uuid not null,
  tree_size bigint not null,
  public_key bytea not null,
  vkey text not null,
  signature bytea not null,
  received_at bigint not null,
  mac bytea not null,
  primary key (workspace_id, tree_size, public_key)
);

create table answer_evidence.anchors (
  workspace_id uuid not null,
  id uuid not null,
  tree_size bigint not null,
  anchor_id text not null,
  type text not null,
  policy_version bigint not null,
  created_at bigint not null,
  mac bytea not null,
  primary key (workspace_id, id),
  unique (workspace_id, tree_size, anchor_id)
);

create table answer_evidence.anchor_attempts (
  workspace_id uuid not null,
  anchor uuid not null,
  attempt integer not null,
  at bigint not null,
  outcome text not null check (outcome in ('confirmed', 'failed')),
  detail text not null,
  -- The time that the anchor states, where it states one.
  anchored_at bigint,
  artefact bytea,
  mac bytea not null,
  primary key (workspace_id, anchor, attempt)
);

create table answer_evidence.trust_tallies (
  workspace_id uuid primary key references answer_evidence.workspaces (id),
  checkpoints bigint not null,
  cosignatures bigint not null,
  anchors bigint not null,
  attempts bigint not null,
  mac bytea not null
);

-- How each witness does; only tells when to ask it again.
create table answer_evidence.witness_states (
  workspace_id uuid not null references answer_evidence.workspaces (id),
  public_key bytea not null,
  tree_size bigint,
  failures integer not null,
  last_error text,
  next_attempt_at bigint not null,
  primary key (workspace_id, public_key)
);

-- The secrets of the policy's anchors, the newest of each, wrapped.
create table answer_evidence.anchor_secrets (
  workspace_id uuid not null references answer_evidence.workspaces (id),
  anchor_id text not null,
  object_id uuid not null,
  wrapped_key bytea not null,
  secret bytea not null,
  primary key (workspace_id, anchor_id)
);

-- Publication only ever grows, whoever publishes.
create function answer_evidence.refuse_smaller_checkpoint() returns trigger language plpgsql as $$
begin
  if exists (select 1 from answer_evidence.published_checkpoints p
             where p.workspace_id = new.workspace_id and p.tree_size >= new.tree_size) then
    raise exception 'a checkpoint of this size or a larger one is published' using errcode = 'unique_violation';
  end if;
  return new;
end $$;
create trigger only_larger before insert on answer_evidence.published_checkpoints
  for each row execute function answer_evidence.refuse_smaller_checkpoint();

do $$
declare
  name text;
begin
  foreach name in array array['published_checkpoints', 'cosignatures', 'anchors', 'anchor_attempts'] loop
    execute format('create trigger insert_only before update or delete on answer_evidence.%I
      for each row execute function answer_evidence.refuse_change()', name);
    execute format('create trigger never_emptied before truncate on answer_evidence.%I
      for each statement execute function answer_evidence.refuse_change()', name);
    execute format('grant select, insert on answer_evidence.%I to answer_evidence_app', name);
  end loop;
  foreach name in array array['published_checkpoints', 'cosignatures', 'anchors', 'anchor_attempts', 'trust_tallies',
                              'witness_states', 'anchor_secrets'] loop
    execute format('alter table answer_evidence.%I enable row level security', name);
    execute format('alter table answer_evidence.%I force row level security', name);
    execute format('create policy one_workspace on answer_evidence.%I
      using (workspace_id = answer_evidence.current_workspace())
      with check (workspace_id = answer_evidence.current_workspace())', name);
  end loop;
end $$;
grant select, insert, update on answer_evidence.trust_tallies, answer_evidence.witness_states to answer_evidence_app;
grant select, insert, update, delete on answer_evidence.anchor_secrets to answer_evidence_app;
