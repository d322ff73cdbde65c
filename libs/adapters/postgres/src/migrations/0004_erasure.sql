-- Retention, and what remains of what was erased.

-- When the sweep looks at sealed contents next. It is a hint, never later than the end of their retention; 0 is at once, which is
-- also right for whatever was sealed before there was this column.
alter table answer_evidence.sealed_contents add column due_at bigint not null default 0;
create index sealed_contents_due on answer_evidence.sealed_contents (workspace_id, due_at);
grant update (due_at) on answer_evidence.sealed_contents to answer_evidence_app;

-- The planner's statistics would be a second copy of what is in these columns. Setting the type takes away what there is of them.
alter table answer_evidence.sealed_contents
  alter column wrapped_key set statistics 0, alter column texts set statistics 0, alter column items set statistics 0,
  alter column wrapped_key type bytea, alter column texts type bytea, alter column items type bytea;

-- Finds the record of an event's contents.
create unique index lifecycle_events_id on answer_evidence.lifecycle_events (workspace_id, id);

create table answer_evidence.text_expiries (
  workspace_id uuid not null,
  record_id uuid not null,
  id uuid not null,
  nonce bytea not null,
  retained_until bigint not null,
  primary key (workspace_id, record_id, id)
);
create trigger insert_only before update or delete on answer_evidence.text_expiries
  for each row execute function answer_evidence.refuse_change();
create trigger never_emptied before truncate on answer_evidence.text_expiries
  for each statement execute function answer_evidence.refuse_change();
grant select, insert on answer_evidence.text_expiries to answer_evidence_app;
alter table answer_evidence.text_expiries enable row level security;
alter table answer_evidence.text_expiries force row level security;
create policy one_workspace on answer_evidence.text_expiries
  using (workspace_id = answer_evidence.current_workspace())
  with check (workspace_id = answer_evidence.current_workspace());

-- Transactions that erased something whose remains are not vacuumed yet. Of the installation, like the files that they are in: a
-- row says that something was erased and not what or whose.
create table answer_evidence.erasures (
  xid xid8 primary key,
  at timestamptz not null default now()
);
grant select, insert on answer_evidence.erasures to answer_evidence_app;
