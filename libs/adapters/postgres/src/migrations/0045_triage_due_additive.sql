-- By when a finding should be resolved, after each step. Null is left out of the MAC of a step, so that steps from
-- before have theirs.
alter table answer_evidence.triage_steps add column due_at bigint;

-- What is overdue is asked of the newest runs, each by itself.
create index triage_steps_due on answer_evidence.triage_steps (workspace_id, run_id, due_at)
  where due_at is not null and state = 'open';
