-- Words of stored texts, for workspaces that search for them. No word stands here: a token is a part of a MAC under a key
-- that is made of the workspace's key and of the salt. The tokens of a record go in the transaction that erases its texts.
create table answer_evidence.word_indexes (
  workspace_id uuid primary key references answer_evidence.workspaces (id),
  salt bytea not null,
  made_under text not null,
  next_leaf bigint not null,
  mac bytea not null
);
create table answer_evidence.word_tokens (
  workspace_id uuid not null,
  token bytea not null,
  leaf_index bigint not null,
  primary key (workspace_id, token, leaf_index)
);
create index word_tokens_record on answer_evidence.word_tokens (workspace_id, leaf_index);
-- The planner's statistics would be a second copy, which no erasure takes away.
alter table answer_evidence.word_tokens alter column token set statistics 0;
alter table answer_evidence.word_indexes alter column salt set statistics 0;

grant select, insert, update, delete on answer_evidence.word_indexes to answer_evidence_app;
grant select, insert, delete on answer_evidence.word_tokens to answer_evidence_app;

do $$
declare
  name text;
begin
  foreach name in array array['word_indexes', 'word_tokens'] loop
    execute format('alter table answer_evidence.%I enable row level security', name);
    execute format('alter table answer_evidence.%I force row level security', name);
    execute format('create policy one_workspace on answer_evidence.%I
      using (workspace_id = answer_evidence.current_workspace())
      with check (workspace_id = answer_evidence.current_workspace())', name);
  end loop;
end $$;
-- Whose log has grown since its words were indexed.
grant select (workspace_id, next_leaf) on answer_evidence.word_indexes to answer_evidence_relay;
-- Whose settings may ask for an index: their version.
grant select (seq) on answer_evidence.workspace_entries to answer_evidence_relay;
create policy work_of_every_workspace on answer_evidence.word_indexes for select to answer_evidence_relay using (true);
