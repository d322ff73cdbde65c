-- Which hold an entry releases. A quotation mark within a text has a backslash before it.
create index workspace_entries_of_holds on answer_evidence.workspace_entries
  (workspace_id, (substring(core_json from '"hold_id":"([0-9a-f-]{36})"')))
  where type = 'hold_released';
