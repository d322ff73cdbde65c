-- Whose texts an entry `texts_revealed` is about: of one record, as `record_id` has it, or of many. A quotation mark within
-- a text has a backslash before it, and an actor, which comes first in a core, is no array.
create function answer_evidence.records_read(core_json text) returns uuid[]
language sql immutable parallel safe
return case when core_json ~ '"answer_log_ids":\['
  then string_to_array(replace(substring(core_json from '"answer_log_ids":\[([^\]]*)\]'), '"', ''), ',')::uuid[]
  else array[substring(core_json from
    '"answer_log_id":"([0-9a-f]{8}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{12})"')::uuid]
end;

-- Readings in bulk are few beside those of one record, which are found by that record.
create index workspace_entries_of_many_records on answer_evidence.workspace_entries (workspace_id, leaf_index)
  where type = 'texts_revealed' and record_id is null;
