import * as z from 'zod';
import { slug } from './members.ts';
import { CONTROL_RANGES, HIDES_RULE, hidesCharacters, isVisible, timestamp } from './primitives.ts';
import { atMost } from './text-length.ts';
import { role, tokenLife, tokenName } from './tokens.ts';

/** How long a sign-in waits for a person, in seconds: ten minutes. */
export const DEVICE_LOGIN_SECONDS = 600;
/** How long a device waits between two questions at first, in seconds; each one that comes too soon adds as much. */
export const DEVICE_POLL_SECONDS = 5;
/** Longest of these waits, in seconds. */
export const DEVICE_POLL_SECONDS_MAX = 60;
/** Most sign-ins that wait at once: of one address, and for one workspace or for none that there is. */
export const DEVICE_LOGINS_MAX = { address: 100, workspace: 1_000 } as const;

/** Body of `POST /api/auth/device`. `client_name` is what the person is shown of the device. */
export const deviceLoginRequest = z.strictObject({
  client_name: z
    .string()
    .regex(new RegExp(`^[^${CONTROL_RANGES}]{1,100}$`), {
      error: 'must be 1 to 100 characters, none of them a control character',
      abort: true,
    })
    .refine((name) => !hidesCharacters(name), HIDES_RULE)
    .refine(isVisible, 'must not be blank'),
  workspace: slug.optional(),
  token_name: tokenName.optional(),
  expires_in_seconds: tokenLife.optional(),
});
export type DeviceLoginRequest = z.infer<typeof deviceLoginRequest>;

/** `POST /api/auth/device` (RFC 8628 section 3.2): the codes are shown this once. */
export const deviceLogin = z.strictObject({
  /** For the device alone. */
  device_code: z.string(),
  /** For the person, who types it in at `verification_url`. */
  user_code: z.string(),
  verification_url: z.string(),
  expires_in_seconds: z.int().positive(),
  interval_seconds: z.int().positive(),
});
export type DeviceLogin = z.infer<typeof deviceLogin>;

/** Body of `POST /api/auth/device/token`. */
export const deviceTokenRequest = z.strictObject({ device_code: z.string().min(1).check(atMost(200)) });

const userCode = z.string().min(1, 'must not be empty').check(atMost(40));

/** Body of `POST /console/device-logins/find`. */
export const consoleDeviceQuery = z.strictObject({ user_code: userCode });

/** Its reply: who asks, and for what. */
export const consoleDeviceLogin = z.strictObject({
  client_name: z.string(),
  /** The address that the device asked from. */
  address: z.string(),
  user_code: z.string(),
  role,
  token_life_seconds: z.int().positive(),
  requested_at: timestamp,
  expires_at: timestamp,
});
export type ConsoleDeviceLogin = z.infer<typeof consoleDeviceLogin>;

/** Body of `POST /console/device-logins`. */
export const consoleDeviceDecision = z.strictObject({ user_code: userCode, decision: z.enum(['approve', 'deny']) });
