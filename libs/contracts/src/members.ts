import * as z from 'zod';
import { pageOf } from './pages.ts';
import { OPEN_VALUES, shownName, timestamp, uuid } from './primitives.ts';
import { memberAccess, wantedAccess } from './roles.ts';
import { atMost } from './text-length.ts';
import { issuedToken, role, tokenLife, tokenName } from './tokens.ts';

/** Longest password, in Unicode code points after normalisation. */
export const PASSWORD_LENGTH_MAX = 256;
/** Shortest password, in Unicode code points after normalisation. */
export const PASSWORD_LENGTH_MIN = 12;
/** Life of a token that a login issues and that names none, in seconds: 12 hours. */
export const LOGIN_LIFE_SECONDS_DEFAULT = 12 * 3_600;
/** How long a password link works, in seconds: 72 hours. */
export const PASSWORD_LINK_LIFE_SECONDS = 72 * 3_600;

/** The name of a workspace in addresses. */
export const slug = z
  .string()
  .regex(/^[a-z0-9]([a-z0-9-]{0,61}[a-z0-9])?$/, 'must be 1 to 63 characters of a-z, 0-9 and "-"');

/** The name of a new member: lower case, so that no two names look alike but for their capitals. */
export const username = z
  .string()
  .regex(
    /^[a-z0-9][a-z0-9._@+-]{0,99}$/,
    'must be 1 to 100 characters of a-z, 0-9 and ._@+-, starting with a letter or digit',
  );

/** What can happen to a member, as the ledger says it. `found`: was there before the ledger named members. */
export const MEMBER_CHANGES = [
  'added',
  'found',
  'role_changed',
  'access_changed',
  'disabled',
  'enabled',
  'password_link_issued',
  'password_set',
  'removed',
  'provider_linked',
  'provider_unlinked',
  'role_source_changed',
] as const;
/** What happened to a member. */
export const memberChange = z.enum(MEMBER_CHANGES).meta(OPEN_VALUES);
export type MemberChange = z.infer<typeof memberChange>;

/**
 * How a member's role follows their groups at an OpenID provider: it does (`provider`), it was taken since they have no
 * group any more (`provider_left`), or it would be another one, but they are the last manager (`provider_kept`).
 */
const ROLE_SOURCES = ['provider', 'provider_left', 'provider_kept'] as const;
/** Why a member's role is what it is, where an OpenID provider decides. */
export const roleSource = z.enum(ROLE_SOURCES).meta(OPEN_VALUES);
export type RoleSource = z.infer<typeof roleSource>;

/** Longest issuer of an OpenID provider. */
const ISSUER_LENGTH_MAX = 500;
/** Longest subject (OpenID Connect Core 1.0, section 2). */
const SUBJECT_LENGTH_MAX = 255;

/** The name of an OpenID provider, as its ID tokens have it in `iss`. */
const issuer = shownName(ISSUER_LENGTH_MAX).regex(
  /^https?:\/\/[^\s?#]+$/,
  'must be the issuer of an OpenID provider, such as https://login.example.com',
);
/** What an OpenID provider calls somebody in `sub`, and never calls anybody else. */
const providerSubject = shownName(SUBJECT_LENGTH_MAX);

/** Who a member is at an OpenID provider. Nobody else at it can sign in as the member. */
export const providerLink = z.strictObject({ issuer: z.string(), subject: z.string() });
export type ProviderLink = z.infer<typeof providerLink>;

/**
 * A member as managers see them, also after removal. `sign_in` says how the member signs in: by a password, by a link
 * that is valid or expired, or not at all. `role` is `member` for every role but manager; `access` names the role, and
 * where they may act. Services of an earlier release leave `access` out.
 */
export const member = z.strictObject({
  id: uuid,
  username: z.string(),
  role,
  access: memberAccess.optional(),
  disabled: z.boolean(),
  sign_in: z.enum(['password', 'link', 'link_expired', 'none']),
  created_at: timestamp,
  disabled_at: timestamp.nullable(),
  removed_at: timestamp.nullable(),
  /** Who they are at an OpenID provider; null: nobody has said. Services of an earlier release leave it out. */
  provider: providerLink.nullable().optional(),
  /** How their role follows their groups at it; null: it does not. Services of an earlier release leave it out. */
  role_source: roleSource.nullable().optional(),
  /** In lists: about when they last signed in or a token of theirs was used; null: never, or not yet known. */
  last_used_at: timestamp.nullable().optional(),
  version: z.int().positive(),
});
export type Member = z.infer<typeof member>;

/** `GET /api/members`. */
export const memberList = pageOf(member);

/** A way to set a password, once. `secret` is the part of `url` after the `#`; shown this once. */
export const passwordLink = z.strictObject({ url: z.string(), secret: z.string(), expires_at: timestamp });
export type PasswordLink = z.infer<typeof passwordLink>;

/** A member, and the password link when one was made for them. */
export const memberWithLink = z.strictObject({ ...member.shape, password_link: passwordLink.nullable() });
export type MemberWithLink = z.infer<typeof memberWithLink>;

/** Body of `POST /api/members`. */
export const createMemberRequest = z.strictObject({
  username,
  role: role.optional(),
  access: wantedAccess.optional(),
});
export type CreateMemberRequest = z.infer<typeof createMemberRequest>;

/**
 * Body of `PATCH /api/members/{member_id}`; a `version` must be the current one. `provider` links the member to a
 * subject of an OpenID provider, by default of the one that this installation signs people in with; null unlinks them.
 * `access` is the whole new access; `role` alone is that role everywhere.
 */
export const patchMemberRequest = z.strictObject({
  role: role.optional(),
  access: wantedAccess.optional(),
  disabled: z.boolean().optional(),
  password_reset: z.literal(true).optional(),
  provider: z.strictObject({ issuer: issuer.optional(), subject: providerSubject }).nullable().optional(),
  version: z.int().positive().optional(),
});
export type PatchMemberRequest = z.infer<typeof patchMemberRequest>;

/** Longer than any password; what is longer is refused before it is looked at. */
const PASSWORD_UNITS_MAX = 1_024;
/** A password as it is sent. */
export const password = z
  .string()
  .check(atMost(PASSWORD_UNITS_MAX, `must be at most ${PASSWORD_LENGTH_MAX} characters`));

/** Body of `POST /api/auth/login`. `workspace` is needed only where neither the host nor the installation says it. */
export const loginRequest = z.strictObject({
  username: z.string().min(1, 'must not be empty').check(atMost(200)),
  password,
  workspace: slug.optional(),
  token_name: tokenName.optional(),
  expires_in_seconds: tokenLife.optional(),
});
export type LoginRequest = z.infer<typeof loginRequest>;

/** Who has signed in, and where, in the words of the CLI's configuration file. */
export const profile = z.strictObject({
  username: z.string(),
  tenant_slug: z.string(),
  tenant_display_name: z.string(),
  role,
  access: memberAccess.optional(),
});
export type Profile = z.infer<typeof profile>;

/**
 * `POST /api/auth/login`: a user API token, shown only once. `base_url` is the workspace API host to use from now on;
 * null if the service does not know its public address: then keep the one that was called.
 */
export const loginReply = z.strictObject({ ...issuedToken.shape, base_url: z.string().nullable(), profile });
export type LoginReply = z.infer<typeof loginReply>;

/** Body of `POST /api/auth/password`: the secret of a password link and the password to be. */
export const setPasswordRequest = z.strictObject({ secret: z.string().min(1).check(atMost(200)), password });
export type SetPasswordRequest = z.infer<typeof setPasswordRequest>;
