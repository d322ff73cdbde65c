-- What ledger checks keep for later ones: `statement` says of which log a check found no fault;
-- `pass …` and `block … N` are of a check that has not ended. Each text has a MAC of the workspace.
create table answer_evidence.ledger_checks (
  workspace_id uuid not null references answer_evidence.workspaces (id),
  name text not null,
  content text not null,
  mac bytea not null,
  primary key (workspace_id, name)
);
grant select, insert, update, delete on answer_evidence.ledger_checks to answer_evidence_app;
alter table answer_evidence.ledger_checks enable row level security;
alter table answer_evidence.ledger_checks force row level security;
create policy one_workspace on answer_evidence.ledger_checks
  using (workspace_id = answer_evidence.current_workspace())
  with check (workspace_id = answer_evidence.current_workspace());
