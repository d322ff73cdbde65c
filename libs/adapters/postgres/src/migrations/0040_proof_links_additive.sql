-- What the log says of links to a record is found by the record. A quotation mark within a text has a backslash before it.
create index workspace_entries_of_proof_links on answer_evidence.workspace_entries
  (workspace_id, (substring(core_json from '"answer_log_id":"([0-9a-f-]{36})"')), leaf_index)
  where type in ('proof_link_made', 'proof_link_opened', 'proof_link_revoked');
