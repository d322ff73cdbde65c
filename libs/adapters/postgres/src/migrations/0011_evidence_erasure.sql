-- What becomes of evidence in time: when to look whether an asset may still be kept, and whether erased bytes are gone from the object store.

-- When the sweep looks at an asset next. Only a hint: never later than the asset may be kept, and moved on while something still holds it or
-- nothing is left to erase; accesses can bring new purposes even then.
create table answer_evidence.evidence_dues (
  workspace_id uuid not null,
  asset_id uuid not null,
  due_at bigint not null,
  primary key (workspace_id, asset_id)
);
create index evidence_dues_due on answer_evidence.evidence_dues (workspace_id, due_at, asset_id);

-- Which content the original of an asset was, from the erasure on. Whether the bytes are gone is asked of the object store again and again
-- until they are; the key went in the transaction that wrote the row.
create table answer_evidence.evidence_purges (
  workspace_id uuid not null,
  asset_id uuid not null,
  content_id uuid not null,
  deleted_at bigint,
  primary key (workspace_id, asset_id)
);
create index evidence_purges_content on answer_evidence.evidence_purges (workspace_id, content_id);

do $$
declare
  name text;
begin
  foreach name in array array['evidence_dues', 'evidence_purges'] loop
    execute format('alter table answer_evidence.%I enable row level security', name);
    execute format('alter table answer_evidence.%I force row level security', name);
    execute format('create policy one_workspace on answer_evidence.%I
      using (workspace_id = answer_evidence.current_workspace())
      with check (workspace_id = answer_evidence.current_workspace())', name);
  end loop;
end $$;
grant select, insert on answer_evidence.evidence_dues to answer_evidence_app;
grant update (due_at) on answer_evidence.evidence_dues to answer_evidence_app;
grant select, insert on answer_evidence.evidence_purges to answer_evidence_app;
grant update (deleted_at) on answer_evidence.evidence_purges to answer_evidence_app;
