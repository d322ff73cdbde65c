-- How a member's role follows their groups at an OpenID provider, as their newest member_changed entry has it: 'provider',
-- 'provider_left' (no group any more, so disabled) or 'provider_kept' (the last manager); null where it does not.
alter table answer_evidence.members add column role_source text;

grant update (role_source) on answer_evidence.members to answer_evidence_app;
