-- Who fills what sign-ins of devices may take: `address_key` is a MAC of the address that asked, null in rows of a
-- release before. It decides nothing but which of too many goes first.
alter table answer_evidence.device_logins add column address_key bytea check (octet_length(address_key) = 32);
create index device_logins_address on answer_evidence.device_logins (address_key);
create index device_logins_workspace on answer_evidence.device_logins (workspace_id);
