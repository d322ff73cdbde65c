import type { Role } from './tokens.ts';

/** What is stored of who may do what, row by row, as in `log-rows.ts`. */

/** A token. Of a user token the SHA-256 of its secret is kept, of an application JWT nothing. */
export type TokenRow = {
  readonly id: string;
  readonly kind: 'user' | 'application';
  readonly name: string;
  readonly application_key: string | null;
  /** JCS of the array of scopes. */
  readonly scopes_json: string;
  readonly user_id: string | null;
  readonly secret_hash: Uint8Array | null;
  readonly expires_at: number;
  readonly created_at: number;
  readonly revoked_at: number | null;
  /** After a rotation: how long the token stays good although it is revoked. */
  readonly overlap_until: number | null;
  /** When it was cut off before that. */
  readonly cut_at: number | null;
};

/**
 * A member of the workspace as of their newest `member_changed` entry; `version` is its number. 0: made by a release
 * whose log named no members, and not yet found by this one.
 */
export type MemberRow = {
  readonly id: string;
  readonly username: string;
  readonly role: Role;
  readonly created_at: number;
  readonly disabled_at: number | null;
  readonly removed_at: number | null;
  readonly version: number;
};

/**
 * How a member may sign in: the hash of a password, or of the secret of a link that sets one. `entry_id` is the entry
 * that says so; `mac` binds the row together under a secret outside the database, so that nobody who can write to it
 * makes a password.
 */
export type CredentialRow = {
  readonly member_id: string;
  readonly entry_id: string;
  /** PHC string of argon2id, with its salt and parameters. */
  readonly password_hash: string | null;
  /** SHA-256 of the 32 secret bytes. */
  readonly link_hash: Uint8Array | null;
  readonly link_expires_at: number | null;
  readonly mac: Uint8Array;
};
