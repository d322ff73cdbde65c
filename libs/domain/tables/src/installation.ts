import { bigint, bytea, integer, type RowOf, table, text, uuid } from './table.ts';

/** What is stored of the installation. These rows belong to no workspace; their MACs are under the master key. */

/** One workspace. Its MAC is under its own key, which only the master key opens. */
export const WORKSPACES = table('workspaces', {
  key: ['id'],
  authenticated: true,
  columns: {
    id: uuid,
    slug: text,
    display_name: text,
    log_id: uuid,
    origin: text,
    vkey: text,
    wrapped_key: bytea,
    wrapped_ledger_seed: bytea,
    created_at: bigint,
  },
});
export type WorkspaceRow = RowOf<typeof WORKSPACES>;

/** A key that signs application tokens. None is ever changed or removed. */
export const TOKEN_KEYS = table('token_signing_keys', {
  key: ['kid'],
  authenticated: true,
  columns: {
    /** RFC 7638 thumbprint of the public key. */
    kid: text,
    /** From 1, without a gap. */
    generation: integer,
    wrapped_seed: bytea,
    created_at: bigint,
    signs_from: bigint,
  },
});
export type TokenKeyRow = RowOf<typeof TOKEN_KEYS>;

/** The one row of the installation: what recognises the master key, and how many rows the other tables must have. */
export const INSTALLATION = table('installation', {
  key: [],
  authenticated: true,
  columns: {
    master_key_check: bytea,
    workspaces: integer,
    token_keys: integer,
  },
});
export type InstallationRow = RowOf<typeof INSTALLATION>;
