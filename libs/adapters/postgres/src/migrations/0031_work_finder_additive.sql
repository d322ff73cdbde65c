-- Where there is something to do is asked once about all workspaces, over connections of the relay. So its role sees more
-- of them: that there is a row, and when it is due; never what is in it.

grant select (workspace_id, tree_size, last_at) on answer_evidence.ledger_heads to answer_evidence_relay;
grant select (workspace_id, tree_size) on answer_evidence.published_checkpoints to answer_evidence_relay;
grant select (workspace_id, type) on answer_evidence.workspace_entries to answer_evidence_relay;
grant select (workspace_id, due_at)
  on answer_evidence.sealed_contents, answer_evidence.evidence_dues, answer_evidence.triage_texts
  to answer_evidence_relay;
grant select (workspace_id, is_open, due_at) on answer_evidence.otlp_traces to answer_evidence_relay;
grant select (workspace_id) on answer_evidence.otlp_waiting to answer_evidence_relay;
grant select (workspace_id, received_at) on answer_evidence.otlp_inbox to answer_evidence_relay;
grant select (workspace_id, unattached_at) on answer_evidence.otlp_unattached to answer_evidence_relay;
grant select (workspace_id, status) on answer_evidence.reconciliation_states to answer_evidence_relay;

do $$
declare
  name text;
begin
  foreach name in array array['ledger_heads', 'published_checkpoints', 'workspace_entries', 'sealed_contents',
                              'evidence_dues', 'triage_texts', 'otlp_traces', 'otlp_waiting', 'otlp_inbox',
                              'otlp_unattached', 'reconciliation_states'] loop
    execute format('create policy work_of_every_workspace on answer_evidence.%I for select to answer_evidence_relay
      using (true)', name);
  end loop;
end $$;
