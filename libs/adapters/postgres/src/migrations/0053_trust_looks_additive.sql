-- When something is next due of what vouches for a log from outside, unless another tree has been published or the policy has
-- changed since. It follows from the rest, and may be lost.
create table answer_evidence.trust_looks (
  workspace_id uuid not null references answer_evidence.workspaces (id),
  part text not null,
  -- The newest published tree and the policy for which that is so.
  tree_size bigint not null,
  policy_version bigint not null,
  due_at bigint not null,
  primary key (workspace_id, part)
);
grant select, insert, update on answer_evidence.trust_looks to answer_evidence_app;
alter table answer_evidence.trust_looks enable row level security;
alter table answer_evidence.trust_looks force row level security;
create policy one_workspace on answer_evidence.trust_looks
  using (workspace_id = answer_evidence.current_workspace())
  with check (workspace_id = answer_evidence.current_workspace());

-- Whose witnesses or authorities are to be asked.
grant select (workspace_id, part, tree_size, policy_version, due_at) on answer_evidence.trust_looks
  to answer_evidence_relay;
create policy work_of_every_workspace on answer_evidence.trust_looks for select to answer_evidence_relay using (true);
