-- OTLP: what was accepted and is not worked off, what waits for its record, what belongs to none, and what was attached.

create table answer_evidence.trace_attachments (
  workspace_id uuid not null,
  record_id uuid not null,
  id uuid not null,
  nonce bytea not null,
  signal text not null,
  trace_id text not null,
  span_id text,
  started_at bigint,
  commitments text not null,
  actor_json text not null,
  primary key (workspace_id, record_id, id)
);
-- Whatever is sent again: a span is attached to a record once.
create unique index trace_attachments_once
  on answer_evidence.trace_attachments (workspace_id, record_id, trace_id, coalesce(span_id, ''));
create trigger insert_only before update or delete on answer_evidence.trace_attachments
  for each row execute function answer_evidence.refuse_change();
create trigger never_emptied before truncate on answer_evidence.trace_attachments
  for each statement execute function answer_evidence.refuse_change();
grant select, insert on answer_evidence.trace_attachments to answer_evidence_app;

-- `items` is sealed under a key of the row's own. One row for up to some hundred items of a request.
create table answer_evidence.otlp_inbox (
  workspace_id uuid not null references answer_evidence.workspaces (id),
  id uuid not null,
  received_at bigint not null,
  item_count integer not null,
  wrapped_key bytea not null,
  items bytea not null,
  primary key (workspace_id, id)
);

create table answer_evidence.otlp_waiting (
  workspace_id uuid not null references answer_evidence.workspaces (id),
  id uuid not null,
  application_key text not null,
  idempotency_key text not null,
  trace_id text not null,
  span_id text not null,
  received_at bigint not null,
  due_at bigint not null,
  wrapped_key bytea not null,
  item bytea not null,
  primary key (workspace_id, id)
);
create unique index otlp_waiting_once
  on answer_evidence.otlp_waiting (workspace_id, application_key, idempotency_key, trace_id, span_id);
create index otlp_waiting_due on answer_evidence.otlp_waiting (workspace_id, due_at, id);

create table answer_evidence.otlp_unattached (
  workspace_id uuid not null references answer_evidence.workspaces (id),
  id uuid not null,
  application_key text not null,
  environment text not null,
  idempotency_key text not null,
  signal text not null,
  trace_id text not null,
  span_id text not null,
  reason text not null,
  record_id uuid,
  received_at bigint not null,
  unattached_at bigint not null,
  primary key (workspace_id, id)
);
create unique index otlp_unattached_once
  on answer_evidence.otlp_unattached (workspace_id, application_key, idempotency_key, trace_id, span_id);
create index otlp_unattached_newest on answer_evidence.otlp_unattached (workspace_id, unattached_at desc, id desc);

-- Ciphertext does not compress, and statistics of it would be a second copy.
alter table answer_evidence.otlp_inbox
  alter column items set storage external, alter column items set statistics 0, alter column wrapped_key set statistics 0;
alter table answer_evidence.otlp_waiting
  alter column item set storage external, alter column item set statistics 0, alter column wrapped_key set statistics 0;

grant select, insert, delete on answer_evidence.otlp_inbox, answer_evidence.otlp_waiting, answer_evidence.otlp_unattached
  to answer_evidence_app;

do $$
declare
  name text;
begin
  foreach name in array array['trace_attachments', 'otlp_inbox', 'otlp_waiting', 'otlp_unattached'] loop
    execute format('alter table answer_evidence.%I enable row level security', name);
    execute format('alter table answer_evidence.%I force row level security', name);
    execute format('create policy one_workspace on answer_evidence.%I
      using (workspace_id = answer_evidence.current_workspace())
      with check (workspace_id = answer_evidence.current_workspace())', name);
  end loop;
end $$;

-- Fails what stands with it in a transaction when the policy in force is another than the one it was prepared under.
create function answer_evidence.assert_settings(workspace uuid, prepared_under integer) returns void
language plpgsql as $$
begin
  perform from answer_evidence.ledger_heads
    where workspace_id = workspace and settings_version = prepared_under;
  if not found then
    raise exception 'the policy has changed' using errcode = 'serialization_failure', constraint = 'settings_version';
  end if;
end $$;
