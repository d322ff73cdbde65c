-- Signing keys that were added to logs after their genesis. Which trees each signs follows from the entries of the log.

create table answer_evidence.ledger_keys (
  workspace_id uuid not null references answer_evidence.workspaces (id),
  vkey text not null,
  wrapped_seed bytea not null,
  primary key (workspace_id, vkey)
);
create trigger insert_only before update or delete on answer_evidence.ledger_keys
  for each row execute function answer_evidence.refuse_change();
create trigger never_emptied before truncate on answer_evidence.ledger_keys
  for each statement execute function answer_evidence.refuse_change();
grant select, insert on answer_evidence.ledger_keys to answer_evidence_app;
alter table answer_evidence.ledger_keys enable row level security;
alter table answer_evidence.ledger_keys force row level security;
create policy one_workspace on answer_evidence.ledger_keys
  using (workspace_id = answer_evidence.current_workspace())
  with check (workspace_id = answer_evidence.current_workspace());
