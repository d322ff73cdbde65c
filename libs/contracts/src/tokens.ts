import * as z from 'zod';
import { pageOf, pageQuery } from './pages.ts';
import { KEY_LENGTH_MAX, shownName, timestamp, uuid } from './primitives.ts';
import { memberAccess } from './roles.ts';

/** What an application JWT may be allowed. */
export const SCOPES = [
  'answer_audit:create',
  'answer_audit:read',
  'answer_audit:evidence:read',
  'answer_audit:reconcile',
] as const;
/** One operation-specific permission of an application JWT. */
export const scope = z.enum(SCOPES);
export type Scope = z.infer<typeof scope>;
/** What gives texts. Who issues such a token holds it, and would read without an entry of the log. */
export const TEXT_SCOPES: readonly Scope[] = ['answer_audit:read', 'answer_audit:evidence:read'];

/** Longest life of a token, in seconds: 90 days. */
export const TOKEN_LIFE_SECONDS_MAX = 90 * 86_400;
/** Life of a token that names none, in seconds: 24 hours. */
export const TOKEN_LIFE_SECONDS_DEFAULT = 86_400;

/** A user's part in a workspace, as the interface has it. Every role but manager is `member` here (`MEMBER_ROLES`). */
export const role = z.enum(['manager', 'member']);
export type Role = z.infer<typeof role>;

/** How long a token is good, in seconds. */
export const tokenLife = z
  .int()
  .min(60, 'must be at least 60 seconds')
  .max(TOKEN_LIFE_SECONDS_MAX, `must be at most ${TOKEN_LIFE_SECONDS_MAX} seconds (90 days)`);

/** The name of a new token, and of an application that gets one: others tell them apart by it. */
export const tokenName = shownName(KEY_LENGTH_MAX);

/** Body of `POST /api/tokens`. Application tokens need `application_key` and `scopes`; user tokens take neither. */
export const createTokenRequest = z
  .strictObject({
    name: tokenName,
    kind: z.enum(['user', 'application']),
    application_key: tokenName.optional(),
    scopes: z.array(scope).min(1).max(SCOPES.length).optional(),
    expires_in_seconds: tokenLife.optional(),
  })
  .meta({
    if: { properties: { kind: { const: 'application' } } },
    then: { required: ['application_key', 'scopes'] },
    else: { properties: { application_key: false, scopes: false } },
  });
export type CreateTokenRequest = z.infer<typeof createTokenRequest>;

/** Longest time that a rotated token stays good, in seconds: 24 hours. */
export const TOKEN_OVERLAP_SECONDS_MAX = 86_400;

/** Body of `POST /api/tokens/{token_id}/rotate`: how long the old token stays good beside the new one. */
export const rotateTokenRequest = z.strictObject({
  overlap_seconds: z.int().min(0).max(TOKEN_OVERLAP_SECONDS_MAX).default(0),
});
export type RotateTokenRequest = z.input<typeof rotateTokenRequest>;

/** A token as it is listed: never its secret. */
export const tokenSummary = z.strictObject({
  id: uuid,
  name: z.string(),
  kind: z.enum(['user', 'application']),
  application_key: z.string().nullable(),
  scopes: z.array(scope),
  user_id: uuid.nullable(),
  created_at: timestamp,
  expires_at: timestamp,
  /** From when on it is no longer good because it was revoked; after a rotation with an overlap that may lie ahead. */
  revoked_at: timestamp.nullable(),
  /** About when it was last used, to within some minutes; null: never, or not yet known. */
  last_used_at: timestamp.nullable(),
});
export type TokenSummary = z.infer<typeof tokenSummary>;

/** `POST /api/tokens`: `token` is shown this once. */
export const issuedToken = z.strictObject({ ...tokenSummary.shape, token: z.string() });
export type IssuedToken = z.infer<typeof issuedToken>;

/** Which tokens a list shows: those that are good now, or those that were revoked or expired. */
export const TOKEN_STATUSES = ['live', 'ended'] as const;
/** One of these. */
export type TokenStatus = (typeof TOKEN_STATUSES)[number];
/** Filters of the list of tokens. */
export const tokenFilters = z.strictObject({ status: z.enum(TOKEN_STATUSES).optional() });
export type TokenFilters = z.infer<typeof tokenFilters>;
/** Query of the list of tokens. */
export const tokenQuery = z.strictObject({ ...tokenFilters.shape, ...pageQuery.shape });

/** `GET /api/tokens`. */
export const tokenList = pageOf(tokenSummary);

/** `GET /api/whoami`: whose token this is. */
export const identity = z.strictObject({
  kind: z.enum(['user', 'application']),
  id: z.string(),
  token_id: uuid,
  username: z.string().nullable(),
  role: role.nullable(),
  /** What a user may do, and where; absent for an application. */
  access: memberAccess.optional(),
  application_key: z.string().nullable(),
  scopes: z.array(scope),
  expires_at: timestamp,
  workspace: z.strictObject({ id: uuid, slug: z.string(), display_name: z.string() }),
});
export type Identity = z.infer<typeof identity>;

/** `GET /.well-known/answer-evidence`: what a host is. */
export const hostDescription = z.strictObject({
  kind: z.enum(['workspace-api', 'browser-session-proxy']),
  version: z.string(),
  workspace: z.strictObject({ slug: z.string(), display_name: z.string() }).nullable(),
  /** Whether programs can sign in by a person in a browser, by `POST /api/auth/device`; absent: they cannot. */
  device_login: z.boolean().optional(),
});
export type HostDescription = z.infer<typeof hostDescription>;
