import * as z from 'zod';
import { password, slug } from './members.ts';
import { timestamp, uuid } from './primitives.ts';
import { memberAccess } from './roles.ts';
import { atMost } from './text-length.ts';
import { role } from './tokens.ts';

/** How long a session of the console lasts at most, in seconds, where the operator says nothing else: 12 hours. */
export const CONSOLE_LIFE_SECONDS = 12 * 3_600;
/** The longest that an operator can say. */
export const CONSOLE_LIFE_SECONDS_MAX = 7 * 24 * 3_600;
/** After how long without a request it ends, in seconds, likewise: 30 minutes. */
export const CONSOLE_IDLE_SECONDS = 30 * 60;

/** Body of `POST /console/session`. `workspace` is needed only where nothing else says it. */
export const consoleSignInRequest = z.strictObject({
  workspace: slug.optional(),
  name: z.string().min(1, 'must not be empty').check(atMost(200)),
  password,
});

/** Body of `POST /console/session/link`: a password link, or its secret alone, and the password to be. */
export const consoleLinkRequest = z.strictObject({
  link: z.string().min(1, 'must not be empty').check(atMost(1_000)),
  password,
});

/** Reply of `GET /console/sign-in`: whether an OpenID provider vouches for people besides their passwords. */
export const consoleSignInWays = z.strictObject({ provider: z.boolean() });

/** A session of the console, as its pages see it. */
export const consoleSessionReply = z.strictObject({
  workspace: z.strictObject({ id: uuid, slug: z.string(), name: z.string() }),
  member: z.strictObject({ id: uuid, name: z.string(), role, access: memberAccess.optional() }),
  /** To be sent as `X-CSRF-Token` with everything that changes something. */
  csrf_token: z.string(),
  expires_at: timestamp,
  /** When it ends unless a request comes before. */
  idle_expires_at: timestamp,
  /** Standbys of the database while no commit waits for one: a failover to them loses acknowledged records. */
  asynchronous_standbys: z.int().nonnegative(),
});
export type ConsoleSessionReply = z.infer<typeof consoleSessionReply>;
