-- Of which calls of models the records of the last day were made, so that a call that is seen twice makes one. No text:
-- a MAC under a secret that is not in the database. Whoever writes here can cause an attachment that its texts allow, or
-- a second record.
create table answer_evidence.otlp_calls (
  workspace_id uuid not null references answer_evidence.workspaces (id),
  call bytea not null,
  record_id uuid not null,
  recorded_at bigint not null,
  primary key (workspace_id, call)
);
create index otlp_calls_age on answer_evidence.otlp_calls (workspace_id, recorded_at);

grant select, insert, delete on answer_evidence.otlp_calls to answer_evidence_app;
grant select (workspace_id, recorded_at) on answer_evidence.otlp_calls to answer_evidence_relay;

alter table answer_evidence.otlp_calls enable row level security;
alter table answer_evidence.otlp_calls force row level security;
create policy one_workspace on answer_evidence.otlp_calls
  using (workspace_id = answer_evidence.current_workspace())
  with check (workspace_id = answer_evidence.current_workspace());
create policy work_of_every_workspace on answer_evidence.otlp_calls for select to answer_evidence_relay using (true);
