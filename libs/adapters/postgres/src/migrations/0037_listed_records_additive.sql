-- When importers claim that answers were given, so that lists can be narrowed by it. The claim itself is sealed with the
-- items of its record; this row is deleted in the transaction that erases them.
create table answer_evidence.answered_claims (
  workspace_id uuid not null,
  record_id uuid not null,
  leaf_index bigint not null,
  application_key text not null,
  answered_at bigint not null,
  primary key (workspace_id, record_id)
);
create index answered_claims_time on answer_evidence.answered_claims (workspace_id, answered_at);

-- Lists under a name, which members share. They hold keys and times, and no text of a record.
create table answer_evidence.saved_views (
  workspace_id uuid not null references answer_evidence.workspaces (id),
  id uuid not null,
  name text not null,
  filters_json text not null,
  created_by uuid not null,
  created_at bigint not null,
  primary key (workspace_id, id),
  unique (workspace_id, name)
);

do $$
declare
  name text;
begin
  foreach name in array array['answered_claims', 'saved_views'] loop
    execute format('grant select, insert, delete on answer_evidence.%I to answer_evidence_app', name);
    execute format('alter table answer_evidence.%I enable row level security', name);
    execute format('alter table answer_evidence.%I force row level security', name);
    execute format('create policy one_workspace on answer_evidence.%I
      using (workspace_id = answer_evidence.current_workspace())
      with check (workspace_id = answer_evidence.current_workspace())', name);
  end loop;
end $$;
