-- OTLP: traces that are not decided because something above their items has not come, and for a while those that are.

create table answer_evidence.otlp_traces (
  workspace_id uuid not null references answer_evidence.workspaces (id),
  application_key text not null,
  trace_id text not null,
  is_open boolean not null,
  opened_at bigint not null,
  received_at bigint not null,
  due_at bigint not null,
  size_bytes bigint not null,
  primary key (workspace_id, application_key, trace_id)
);
create index otlp_traces_due on answer_evidence.otlp_traces (workspace_id, due_at);

-- `items` is sealed under a key of the row's own. Once they are decided it is sealed anew, under another key, with ids only.
create table answer_evidence.otlp_trace_parts (
  workspace_id uuid not null references answer_evidence.workspaces (id),
  id uuid not null,
  application_key text not null,
  trace_id text not null,
  fingerprint bytea not null,
  received_at bigint not null,
  is_open boolean not null,
  wrapped_key bytea not null,
  items bytea not null,
  primary key (workspace_id, id)
);
create unique index otlp_trace_parts_once
  on answer_evidence.otlp_trace_parts (workspace_id, application_key, trace_id, fingerprint);

-- Ciphertext does not compress, and statistics of it would be a second copy.
alter table answer_evidence.otlp_trace_parts
  alter column items set storage external, alter column items set statistics 0, alter column wrapped_key set statistics 0;

grant select, insert, update (is_open, received_at, due_at, size_bytes), delete on answer_evidence.otlp_traces
  to answer_evidence_app;
grant select, insert, update (is_open, wrapped_key, items), delete on answer_evidence.otlp_trace_parts
  to answer_evidence_app;

do $$
declare
  name text;
begin
  foreach name in array array['otlp_traces', 'otlp_trace_parts'] loop
    execute format('alter table answer_evidence.%I enable row level security', name);
    execute format('alter table answer_evidence.%I force row level security', name);
    execute format('create policy one_workspace on answer_evidence.%I
      using (workspace_id = answer_evidence.current_workspace())
      with check (workspace_id = answer_evidence.current_workspace())', name);
  end loop;
end $$;
