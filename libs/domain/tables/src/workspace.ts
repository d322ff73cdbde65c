import type { Role, RoleSource } from '@answer-evidence/contracts';
import { bigint, bytea, integer, nullable, oneOf, type RowOf, table, text, uuid } from './table.ts';

/** A token. Of a user token the SHA-256 of its secret is kept, of an application JWT nothing. */
export const TOKENS = table('tokens', {
  key: ['id'],
  columns: {
    id: uuid,
    kind: oneOf<'user' | 'application'>(),
    name: text,
    application_key: nullable(text),
    /** JCS of the array of scopes. */
    scopes_json: text,
    user_id: nullable(uuid),
    secret_hash: nullable(bytea),
    expires_at: bigint,
    created_at: bigint,
    revoked_at: nullable(bigint),
    /** After a rotation: how long the token stays good although it is revoked. */
    overlap_until: nullable(bigint),
    /** When it was cut off before that. */
    cut_at: nullable(bigint),
  },
});
export type TokenRow = RowOf<typeof TOKENS>;

/** A member as of their newest `member_changed` entry, number `version`. 0: a log that names no members yet. */
export const MEMBERS = table('members', {
  key: ['id'],
  replaces: ['role', 'access_json', 'role_source', 'disabled_at', 'removed_at', 'version'],
  columns: {
    id: uuid,
    username: text,
    role: oneOf<Role>(),
    /** Another role than `role` says, or limits, as canonical JSON; null: neither. */
    access_json: nullable(text),
    /** How the role follows the groups of the member at an OpenID provider; null: it does not. */
    role_source: nullable(oneOf<RoleSource>()),
    created_at: bigint,
    disabled_at: nullable(bigint),
    removed_at: nullable(bigint),
    version: integer,
  },
});
export type MemberRow = RowOf<typeof MEMBERS>;

/**
 * How a member may sign in: the hash of a password, or of the secret of a link that sets one. `entry_id` is the entry
 * that says so; `mac` binds the row together under a secret outside the database, so that nobody who can write to it
 * makes a password.
 */
export const CREDENTIALS = table('member_credentials', {
  key: ['member_id'],
  replaces: ['entry_id', 'password_hash', 'link_hash', 'link_expires_at', 'mac'],
  columns: {
    member_id: uuid,
    entry_id: uuid,
    /** PHC string of argon2id, with its salt and parameters. */
    password_hash: nullable(text),
    /** SHA-256 of the 32 secret bytes. */
    link_hash: nullable(bytea),
    link_expires_at: nullable(bigint),
    mac: bytea,
  },
});
export type CredentialRow = RowOf<typeof CREDENTIALS>;

/**
 * Who a member is at an OpenID provider; no two members of a workspace are the same there. `entry_id` is the entry that
 * says so, and `mac` binds the row together as that of a credential.
 */
export const PROVIDER_LINKS = table('provider_links', {
  key: ['member_id'],
  replaces: ['entry_id', 'issuer', 'subject', 'mac'],
  columns: { member_id: uuid, entry_id: uuid, issuer: text, subject: text, mac: bytea },
});
export type ProviderLinkRow = RowOf<typeof PROVIDER_LINKS>;

/** About when a token was last used. */
export const TOKEN_USES = table('token_uses', {
  key: ['token_id'],
  columns: { token_id: uuid, last_used_at: bigint },
});

/** Browsers that are signed in to the console; what they may do is what the token of each may. */
export const CONSOLE_SESSIONS = table('console_sessions', {
  key: ['key'],
  columns: {
    /** SHA-256 of the secret in the browser's cookie. */
    key: bytea,
    member_id: uuid,
    token_id: uuid,
    salt: bytea,
    role: oneOf<Role>(),
    credential_entry_id: uuid,
    expires_at: bigint,
    used_at: bigint,
  },
});
