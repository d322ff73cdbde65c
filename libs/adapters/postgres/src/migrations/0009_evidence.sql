-- Evidence: assets kept apart from records, every access a leaf of the log.
--
-- What cannot change is insert-only. What may have to be erased has rows of its own, deleted with the only copy of their key: what a
-- content's frames, a segment, the details of an asset or the purpose of an access are sealed under.

-- Bytes in the object store, under `<workspace id>/<last two digits of the id>/<id>`. Deleted when no asset has it as its original; equal
-- bytes that come later are a new content under a new key.
create table answer_evidence.evidence_contents (
  workspace_id uuid not null,
  id uuid not null,
  content_hash text not null,
  size_bytes bigint not null,
  wrapped_key bytea not null,
  primary key (workspace_id, id),
  unique (workspace_id, content_hash)
);

create table answer_evidence.evidence_assets (
  workspace_id uuid not null,
  leaf_index bigint not null,
  id uuid not null,
  entry_id uuid not null,
  nonce bytea not null,
  application_key text not null,
  idempotency_key text,
  kind text not null check (kind in ('file', 'media', 'reference')),
  content_type text,
  size_bytes bigint,
  details_json text not null,
  segments_root text,
  segment_count integer not null,
  retention_until bigint not null,
  created_by_json text not null,
  settings_version integer not null,
  primary key (workspace_id, id)
);
create unique index evidence_assets_leaf on answer_evidence.evidence_assets (workspace_id, leaf_index);
create unique index evidence_assets_application
  on answer_evidence.evidence_assets (workspace_id, application_key, leaf_index);

create table answer_evidence.evidence_originals (
  workspace_id uuid not null,
  asset_id uuid not null,
  content_id uuid not null,
  primary key (workspace_id, asset_id)
);
create index evidence_originals_content on answer_evidence.evidence_originals (workspace_id, content_id);

create table answer_evidence.evidence_segments (
  workspace_id uuid not null,
  asset_id uuid not null,
  segment_index integer not null,
  id uuid not null,
  hash bytea not null,
  primary key (workspace_id, asset_id, segment_index)
);

create table answer_evidence.evidence_segment_contents (
  workspace_id uuid not null,
  asset_id uuid not null,
  segment_index integer not null,
  wrapped_key bytea not null,
  sealed bytea not null,
  primary key (workspace_id, asset_id, segment_index)
);

create table answer_evidence.evidence_details (
  workspace_id uuid not null,
  object_id uuid not null,
  asset_id uuid not null,
  wrapped_key bytea not null,
  sealed bytea not null,
  primary key (workspace_id, object_id)
);
create index evidence_details_asset on answer_evidence.evidence_details (workspace_id, asset_id);

create table answer_evidence.evidence_accesses (
  workspace_id uuid not null,
  leaf_index bigint not null,
  id uuid not null,
  asset_id uuid not null,
  nonce bytea not null,
  application_key text not null,
  access text not null,
  segments_json text not null,
  range_json text not null,
  source_ref_id text not null,
  purpose_hash text,
  actor_json text not null,
  primary key (workspace_id, id)
);
create unique index evidence_accesses_asset on answer_evidence.evidence_accesses (workspace_id, asset_id, leaf_index);

-- Which records bind an access; their cores say so too, and the ledger check compares the two.
create table answer_evidence.evidence_bindings (
  workspace_id uuid not null,
  access_id uuid not null,
  record_id uuid not null,
  primary key (workspace_id, access_id, record_id)
);
create index evidence_bindings_record on answer_evidence.evidence_bindings (workspace_id, record_id);

create table answer_evidence.evidence_links (
  workspace_id uuid not null,
  record_id uuid not null,
  id uuid not null,
  asset_id uuid not null,
  nonce bytea not null,
  actor_json text not null,
  primary key (workspace_id, record_id, id)
);
create index evidence_links_asset on answer_evidence.evidence_links (workspace_id, asset_id);

create table answer_evidence.evidence_redactions (
  workspace_id uuid not null,
  asset_id uuid not null,
  id uuid not null,
  nonce bytea not null,
  record_id uuid not null,
  event_id uuid not null,
  access_ids_json text not null,
  segments_json text not null,
  primary key (workspace_id, asset_id, id)
);
create index evidence_redactions_record on answer_evidence.evidence_redactions (workspace_id, record_id);

create table answer_evidence.evidence_expiries (
  workspace_id uuid not null,
  asset_id uuid not null,
  id uuid not null,
  nonce bytea not null,
  retained_until bigint not null,
  primary key (workspace_id, asset_id, id)
);

-- State of an asset that is no longer available.
create table answer_evidence.evidence_states (
  workspace_id uuid not null,
  asset_id uuid not null,
  state text not null check (state in ('available', 'redacted', 'expired')),
  primary key (workspace_id, asset_id)
);

-- Ciphertext does not compress, and the planner's statistics would be a second copy of it.
alter table answer_evidence.evidence_segment_contents
  alter column sealed set storage external, alter column sealed set statistics 0, alter column wrapped_key set statistics 0;
alter table answer_evidence.evidence_details
  alter column sealed set storage external, alter column sealed set statistics 0, alter column wrapped_key set statistics 0;
alter table answer_evidence.evidence_contents
  alter column wrapped_key set statistics 0, alter column content_hash set statistics 0;

do $$
declare
  name text;
begin
  foreach name in array array['evidence_assets', 'evidence_segments', 'evidence_accesses', 'evidence_bindings', 'evidence_links',
                              'evidence_redactions', 'evidence_expiries'] loop
    execute format('create trigger insert_only before update or delete on answer_evidence.%I
      for each row execute function answer_evidence.refuse_change()', name);
    execute format('create trigger never_emptied before truncate on answer_evidence.%I
      for each statement execute function answer_evidence.refuse_change()', name);
    execute format('grant select, insert on answer_evidence.%I to answer_evidence_app', name);
  end loop;
  foreach name in array array['evidence_contents', 'evidence_originals', 'evidence_segment_contents', 'evidence_details'] loop
    execute format('grant select, insert, delete on answer_evidence.%I to answer_evidence_app', name);
  end loop;
  foreach name in array array['evidence_contents', 'evidence_assets', 'evidence_originals', 'evidence_segments',
                              'evidence_segment_contents', 'evidence_details', 'evidence_accesses', 'evidence_bindings',
                              'evidence_links', 'evidence_redactions', 'evidence_expiries', 'evidence_states'] loop
    execute format('alter table answer_evidence.%I enable row level security', name);
    execute format('alter table answer_evidence.%I force row level security', name);
    execute format('create policy one_workspace on answer_evidence.%I
      using (workspace_id = answer_evidence.current_workspace())
      with check (workspace_id = answer_evidence.current_workspace())', name);
  end loop;
end $$;
grant select, insert, update on answer_evidence.evidence_states to answer_evidence_app;
