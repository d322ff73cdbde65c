-- How many items of OTLP left no record, by application, instrumentation and reason. Names only, and at most 1,000 rows of a workspace.
create table answer_evidence.otlp_ignored (
  workspace_id uuid not null references answer_evidence.workspaces (id),
  id uuid not null,
  application_key text not null,
  scope_name text not null,
  reason text not null,
  item_count bigint not null,
  first_seen_at bigint not null,
  last_seen_at bigint not null,
  trace_id text not null,
  span_id text not null,
  attribute_names text not null,
  primary key (workspace_id, id)
);
create unique index otlp_ignored_once on answer_evidence.otlp_ignored (workspace_id, application_key, scope_name, reason);

grant select, insert, update (item_count, last_seen_at, trace_id, span_id, attribute_names), delete on answer_evidence.otlp_ignored
  to answer_evidence_app;

alter table answer_evidence.otlp_ignored enable row level security;
alter table answer_evidence.otlp_ignored force row level security;
create policy one_workspace on answer_evidence.otlp_ignored
  using (workspace_id = answer_evidence.current_workspace())
  with check (workspace_id = answer_evidence.current_workspace());
