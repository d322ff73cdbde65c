-- What was done in a workspace is listed in the order of the log, by type and by who did it, without a look at any other
-- leaf. So a row repeats the place of its entry, and two parts of its core.
alter table answer_evidence.workspace_entries
  add column leaf_index bigint not null default -1,
  -- As JSON writes it. JCS puts `actor` first in every core that has one, and `id` first in it.
  add column actor_id text generated always as
    (substring(core_json from '^\{"actor":\{"id":"((?:[^"\\]|\\.)*)"')) stored,
  -- Whose texts were revealed. A quotation mark within a text has a backslash before it.
  add column record_id uuid generated always as
    (case when type = 'texts_revealed'
       then substring(core_json from '"answer_log_id":"([0-9a-f]{8}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{12})"')::uuid
     end) stored;

-- The place follows from the leaf, which every transaction inserts before: also one of a release that knows no such column.
create function answer_evidence.leaf_of_workspace_entry(workspace uuid, entry uuid, entry_type text) returns bigint
language sql stable
return (select l.leaf_index from answer_evidence.ledger_leaves l
  where l.workspace_id = workspace and l.id = entry
    and l.subject = case when entry_type in ('genesis', 'epoch_opened') then entry else workspace end);

create function answer_evidence.place_workspace_entry() returns trigger language plpgsql as $$
begin
  -- An entry without a leaf is damage, which the ledger check reports.
  new.leaf_index := coalesce(answer_evidence.leaf_of_workspace_entry(new.workspace_id, new.id, new.type), -1);
  return new;
end $$;

-- The owner does not see rows of workspaces either, except while the tables do not insist on it.
alter table answer_evidence.workspace_entries no force row level security;
alter table answer_evidence.ledger_leaves no force row level security;
alter table answer_evidence.workspace_entries disable trigger insert_only;
update answer_evidence.workspace_entries
  set leaf_index = coalesce(answer_evidence.leaf_of_workspace_entry(workspace_id, id, type), -1);
alter table answer_evidence.workspace_entries enable trigger insert_only;
alter table answer_evidence.workspace_entries force row level security;
alter table answer_evidence.ledger_leaves force row level security;

create trigger placed before insert on answer_evidence.workspace_entries
  for each row execute function answer_evidence.place_workspace_entry();

create index workspace_entries_order on answer_evidence.workspace_entries (workspace_id, leaf_index);
create index workspace_entries_of_type on answer_evidence.workspace_entries (workspace_id, type, leaf_index);
create index workspace_entries_of_actor on answer_evidence.workspace_entries (workspace_id, actor_id, leaf_index);
create index workspace_entries_of_record on answer_evidence.workspace_entries (workspace_id, record_id, leaf_index)
  where record_id is not null;
