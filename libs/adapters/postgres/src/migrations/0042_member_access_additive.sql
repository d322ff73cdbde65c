-- What a member may do and where, as their newest member_changed entry has it: null for a manager or a member without
-- limits, as `role` says it. Whoever else has a role of its own is `member` by `role`.
alter table answer_evidence.members add column access_json text;

grant update (access_json) on answer_evidence.members to answer_evidence_app;
