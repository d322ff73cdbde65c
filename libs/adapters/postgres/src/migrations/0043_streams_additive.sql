-- Where entries of the log are sent, and how far each stream is. The log says who changed a stream.
create table answer_evidence.streams (
  workspace_id uuid not null references answer_evidence.workspaces (id),
  id uuid not null,
  name text not null,
  kind text not null,
  place text not null,
  format text not null,
  include_reasons boolean not null,
  object_id uuid not null,
  wrapped_key bytea not null,
  -- The destination with what it is reached with.
  sealed bytea not null,
  created_at bigint not null,
  removed_at bigint,
  version integer not null,
  primary key (workspace_id, id)
);
create table answer_evidence.stream_states (
  workspace_id uuid not null references answer_evidence.workspaces (id),
  stream_id uuid not null,
  state text not null,
  changed_at bigint not null,
  failing_since bigint,
  failures integer not null,
  last_error text,
  paused_until bigint not null,
  leased_until bigint not null,
  tree_size bigint not null,
  resume_size bigint not null,
  resume_at bigint not null,
  confirmed_at bigint,
  primary key (workspace_id, stream_id)
);

do $$
declare
  name text;
begin
  foreach name in array array['streams', 'stream_states'] loop
    -- A stream is removed by its time, so that the log names something.
    execute format('grant select, insert, update on answer_evidence.%I to answer_evidence_app', name);
    execute format('alter table answer_evidence.%I enable row level security', name);
    execute format('alter table answer_evidence.%I force row level security', name);
    execute format('create policy one_workspace on answer_evidence.%I
      using (workspace_id = answer_evidence.current_workspace())
      with check (workspace_id = answer_evidence.current_workspace())', name);
  end loop;
end $$;

-- Whose log has entries that a stream has still to send.
grant select (workspace_id, state, tree_size) on answer_evidence.stream_states to answer_evidence_relay;
create policy work_of_every_workspace on answer_evidence.stream_states for select to answer_evidence_relay
  using (true);
