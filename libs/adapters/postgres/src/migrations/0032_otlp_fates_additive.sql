-- What left no record, with the reason of a refusal, and whose items they are: each sender has a share of the rows.
-- Takes the place of otlp_ignored, which stays for the previous release.
create table answer_evidence.otlp_left_out (
  workspace_id uuid not null references answer_evidence.workspaces (id),
  id uuid not null,
  application_key text not null,
  scope_name text not null,
  reason text not null,
  detail text not null,
  sender text not null,
  item_count bigint not null,
  first_seen_at bigint not null,
  last_seen_at bigint not null,
  trace_id text not null,
  span_id text not null,
  attribute_names text not null,
  primary key (workspace_id, id)
);
create unique index otlp_left_out_once
  on answer_evidence.otlp_left_out (workspace_id, application_key, scope_name, reason, detail, sender);

insert into answer_evidence.otlp_left_out
  select workspace_id, id, application_key, scope_name, reason, '', '', item_count, first_seen_at, last_seen_at,
         trace_id, span_id, attribute_names
    from answer_evidence.otlp_ignored;

grant select, insert, update (item_count, last_seen_at, trace_id, span_id, attribute_names), delete
  on answer_evidence.otlp_left_out to answer_evidence_app;

-- What became of items that are in no record, by their trace. Names and ids only.
create table answer_evidence.otlp_fates (
  workspace_id uuid not null references answer_evidence.workspaces (id),
  id uuid not null,
  application_key text not null,
  trace_id text not null,
  scope_name text not null,
  reason text not null,
  detail text not null,
  sender text not null,
  item_count bigint not null,
  first_seen_at bigint not null,
  last_seen_at bigint not null,
  span_ids text not null,
  primary key (workspace_id, id)
);
create unique index otlp_fates_once
  on answer_evidence.otlp_fates (workspace_id, trace_id, application_key, scope_name, reason, detail, sender);
create index otlp_fates_shares on answer_evidence.otlp_fates (workspace_id, sender, last_seen_at);

grant select, insert, update (item_count, last_seen_at, span_ids), delete on answer_evidence.otlp_fates
  to answer_evidence_app;

create index trace_attachments_trace on answer_evidence.trace_attachments (workspace_id, trace_id);

alter table answer_evidence.otlp_left_out enable row level security;
alter table answer_evidence.otlp_left_out force row level security;
create policy one_workspace on answer_evidence.otlp_left_out
  using (workspace_id = answer_evidence.current_workspace())
  with check (workspace_id = answer_evidence.current_workspace());
alter table answer_evidence.otlp_fates enable row level security;
alter table answer_evidence.otlp_fates force row level security;
create policy one_workspace on answer_evidence.otlp_fates
  using (workspace_id = answer_evidence.current_workspace())
  with check (workspace_id = answer_evidence.current_workspace());
