-- Requests for a second person: what was asked for, sealed until it has ended, and what became of it. The log has an entry
-- of each request and of each end.
create table answer_evidence.approvals (
  workspace_id uuid not null references answer_evidence.workspaces (id),
  id uuid not null,
  requested_at bigint not null,
  act text not null,
  subject_id uuid,
  requested_by uuid not null,
  expires_at bigint not null,
  state text not null,
  decision_id uuid,
  wrapped_key bytea not null,
  sealed bytea not null,
  primary key (workspace_id, id)
);
create index approvals_order on answer_evidence.approvals (workspace_id, requested_at);
create index approvals_open on answer_evidence.approvals (workspace_id, expires_at) where state = 'open';

-- Who approved an event, or that one person acted alone; null where the workspace demanded no second person.
alter table answer_evidence.lifecycle_events add column approval_json text;

grant select, insert on answer_evidence.approvals to answer_evidence_app;
grant update (state, decision_id, wrapped_key, sealed) on answer_evidence.approvals to answer_evidence_app;
alter table answer_evidence.approvals enable row level security;
alter table answer_evidence.approvals force row level security;
create policy one_workspace on answer_evidence.approvals
  using (workspace_id = answer_evidence.current_workspace())
  with check (workspace_id = answer_evidence.current_workspace());

-- Where a request is overdue.
grant select (workspace_id, state, expires_at) on answer_evidence.approvals to answer_evidence_relay;
create policy work_of_every_workspace on answer_evidence.approvals for select to answer_evidence_relay using (true);
