-- Reconciliation: what callers say was asked and answered, compared with the records.
--
-- A run and its references are kept as they were sent, the record set and the findings as they were decided, and what became of the run
-- in a table of its own. The entry that completes a run commits to all of it; until then the MAC of the run covers the references too,
-- by their root. No index on the records is needed: a window of time is a run of leaves, which the index of an application's
-- records serves.

create table answer_evidence.reconciliation_runs (
  workspace_id uuid not null references answer_evidence.workspaces (id),
  id uuid not null,
  application_key text not null,
  environment text not null,
  match_on text not null check (match_on in ('idempotency_key', 'external_message_id', 'external_trace_id')),
  window_start bigint not null,
  window_end bigint not null,
  max_lateness_seconds integer not null,
  reference_count integer not null,
  references_root bytea not null,
  created_by_json text not null,
  created_at bigint not null,
  idempotency_key text,
  fingerprint bytea not null,
  mac bytea not null,
  primary key (workspace_id, id)
);
create index reconciliation_runs_application on answer_evidence.reconciliation_runs (workspace_id, application_key, id);
create unique index reconciliation_runs_idempotency
  on answer_evidence.reconciliation_runs (workspace_id, application_key, idempotency_key) where idempotency_key is not null;

-- In the order of the caller's list, which decides nothing.
create table answer_evidence.reconciliation_references (
  workspace_id uuid not null,
  run_id uuid not null,
  position integer not null,
  reference_id text not null,
  occurred_at bigint not null,
  question_hash text,
  answer_hash text,
  primary key (workspace_id, run_id, position)
);
-- Which earlier runs have named a record.
create index reconciliation_references_named on answer_evidence.reconciliation_references (workspace_id, reference_id);

-- `started_at`, `tree_size` and `anchored_size` are fixed when a run begins, so that whoever goes on with it after a crash decides the same
-- about the same records. `anchored_size`: leaves below it are under an anchored checkpoint; null when the policy asks for no anchor.
-- `entry_id`: its record set and findings are stored, all of them, and it is completed by the entry of that id. Whether a run has failed
-- is told by the dead letter of its job.
create table answer_evidence.reconciliation_states (
  workspace_id uuid not null,
  run_id uuid not null,
  status text not null check (status in ('queued', 'running', 'completed')),
  progress integer not null,
  started_at bigint,
  tree_size bigint,
  anchored_size bigint,
  counts_json text,
  entry_id uuid,
  primary key (workspace_id, run_id)
);
-- Runs that are under way; there are few.
create index reconciliation_states_open on answer_evidence.reconciliation_states (workspace_id, run_id) where status <> 'completed';

-- What a decision has read of a record besides what its leaf commits to, as of the run's snapshot. `..._equals` is a hash of a reference.
create table answer_evidence.reconciliation_records (
  workspace_id uuid not null,
  run_id uuid not null,
  leaf_index bigint not null,
  record_id uuid not null,
  status text not null,
  question_opened boolean not null,
  question_equals text,
  answer_opened boolean not null,
  answer_equals text,
  named_earlier uuid,
  primary key (workspace_id, run_id, leaf_index)
);
-- Which runs cover a record.
create index reconciliation_records_record on answer_evidence.reconciliation_records (workspace_id, record_id);

-- `position` is the place in the order that the root of the findings is made in.
create table answer_evidence.reconciliation_findings (
  workspace_id uuid not null,
  run_id uuid not null,
  position integer not null,
  type text not null,
  reference_id text,
  answer_log_id uuid,
  detail_json text not null,
  primary key (workspace_id, run_id, position)
);
create index reconciliation_findings_type
  on answer_evidence.reconciliation_findings (workspace_id, run_id, type, position);
create index reconciliation_findings_record on answer_evidence.reconciliation_findings (workspace_id, answer_log_id)
  where answer_log_id is not null;

do $$
declare
  name text;
begin
  foreach name in array array['reconciliation_runs', 'reconciliation_references', 'reconciliation_records',
                              'reconciliation_findings'] loop
    execute format('create trigger insert_only before update or delete on answer_evidence.%I
      for each row execute function answer_evidence.refuse_change()', name);
    execute format('create trigger never_emptied before truncate on answer_evidence.%I
      for each statement execute function answer_evidence.refuse_change()', name);
    execute format('grant select, insert on answer_evidence.%I to answer_evidence_app', name);
  end loop;
  foreach name in array array['reconciliation_runs', 'reconciliation_references', 'reconciliation_states',
                              'reconciliation_records', 'reconciliation_findings'] loop
    execute format('alter table answer_evidence.%I enable row level security', name);
    execute format('alter table answer_evidence.%I force row level security', name);
    execute format('create policy one_workspace on answer_evidence.%I
      using (workspace_id = answer_evidence.current_workspace())
      with check (workspace_id = answer_evidence.current_workspace())', name);
  end loop;
end $$;
grant select, insert, update on answer_evidence.reconciliation_states to answer_evidence_app;

-- A run goes from queued to completed and no further, and what it was decided with stays.
create function answer_evidence.refuse_reconciliation_change() returns trigger language plpgsql as $$
begin
  if tg_op = 'UPDATE' and old.status <> 'completed'
     and (old.started_at is null
          or (new.started_at, new.tree_size, new.anchored_size)
             is not distinct from (old.started_at, old.tree_size, old.anchored_size))
     and (old.entry_id is null or (new.entry_id, new.counts_json) = (old.entry_id, old.counts_json)) then
    return new;
  end if;
  raise exception '% on reconciliation_states is refused: what was decided stays', tg_op using errcode = 'restrict_violation';
end $$;
create trigger only_forward before update or delete on answer_evidence.reconciliation_states
  for each row execute function answer_evidence.refuse_reconciliation_change();
create trigger never_emptied before truncate on answer_evidence.reconciliation_states
  for each statement execute function answer_evidence.refuse_change();
