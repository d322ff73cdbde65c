-- Counts for the overview: they follow from the log and may be counted again from nothing. Background work adds the
-- leaves that came since, so that reading them never looks at a record.
create table answer_evidence.counted_logs (
  workspace_id uuid primary key references answer_evidence.workspaces (id),
  tree_size bigint not null,
  counted_at bigint not null,
  holds_json text not null
);
create table answer_evidence.daily_counts (
  workspace_id uuid not null references answer_evidence.workspaces (id),
  day integer not null,
  application_key text not null,
  recorded bigint not null,
  corrected bigint not null,
  voided bigint not null,
  redacted bigint not null,
  readings bigint not null,
  primary key (workspace_id, day, application_key)
);
create table answer_evidence.counted_runs (
  workspace_id uuid not null references answer_evidence.workspaces (id),
  run_id uuid not null,
  application_key text not null,
  environment text not null,
  match_on text not null,
  window_start bigint not null,
  window_end bigint not null,
  findings bigint not null,
  missing bigint not null,
  oldest_missing_at bigint,
  primary key (workspace_id, run_id)
);
create index counted_runs_window on answer_evidence.counted_runs
  (workspace_id, application_key, environment, match_on, window_start);
create index counted_runs_open on answer_evidence.counted_runs (workspace_id, run_id) where findings > 0;
create table answer_evidence.counted_lists (
  workspace_id uuid not null references answer_evidence.workspaces (id),
  run_id uuid not null,
  day integer not null,
  application_key text not null,
  listed bigint not null,
  missing bigint not null,
  primary key (workspace_id, run_id, day)
);
create index counted_lists_day on answer_evidence.counted_lists (workspace_id, day);

do $$
declare
  name text;
begin
  foreach name in array array['counted_logs', 'daily_counts', 'counted_runs', 'counted_lists'] loop
    execute format('grant select, insert, update, delete on answer_evidence.%I to answer_evidence_app', name);
    execute format('alter table answer_evidence.%I enable row level security', name);
    execute format('alter table answer_evidence.%I force row level security', name);
    execute format('create policy one_workspace on answer_evidence.%I
      using (workspace_id = answer_evidence.current_workspace())
      with check (workspace_id = answer_evidence.current_workspace())', name);
  end loop;
end $$;
-- Whose log has grown since it was counted.
grant select (workspace_id, tree_size) on answer_evidence.counted_logs to answer_evidence_relay;
create policy work_of_every_workspace on answer_evidence.counted_logs for select to answer_evidence_relay using (true);
