import type * as z from 'zod';
import { ApiError, request } from '@answer-evidence/client';
import {
  type ConsoleDeviceLogin,
  consoleDeviceLogin,
  consoleSessionReply,
  consoleSignInWays,
} from '@answer-evidence/contracts';
import { CONSOLE_PATH, withinConsole } from './place.ts';
import { send, withToken } from './send.ts';

/** A process of an earlier release leaves the standbys out. */
const session = consoleSessionReply.partial({ asynchronous_standbys: true });
/** Who is signed in here. The cookie that proves it is out of reach of scripts. */
export type Session = z.infer<typeof session>;

const SESSION = '/session';

/** The session of this browser; null when nobody is signed in. */
export async function readSession(): Promise<Session | null> {
  try {
    return await ask('GET', SESSION, session);
  } catch (error) {
    if (error instanceof ApiError && error.status === 401) return null;
    throw error;
  }
}

/** Whether an OpenID provider vouches for people here, too. */
export async function hasProvider(): Promise<boolean> {
  return (await ask('GET', '/sign-in', consoleSignInWays)).provider;
}

/** Where a browser goes to sign in there, and then on to the page it is at. */
export function providerAddress(): string {
  const next = withinConsole(location.pathname) + location.search;
  return `${CONSOLE_PATH}/sign-in/provider?next=${encodeURIComponent(next)}`;
}

/** Signs in with a password. Throws `ApiError` with the service's words when it refuses. */
export async function signIn(workspace: string, name: string, password: string): Promise<Session> {
  return ask('POST', SESSION, session, { body: { workspace, name, password } });
}

/** Sets a password by a one-time link, and signs in with it. The link works once, whatever came of the reply. */
export async function signInByLink(link: string, password: string): Promise<Session> {
  return ask('POST', `${SESSION}/link`, session, { body: { link, password } });
}

/** Signs out here, or in every browser. */
export async function signOut(csrfToken: string, everywhere: boolean): Promise<void> {
  const path = everywhere ? '/sessions' : SESSION;
  await send({ method: 'DELETE', path, headers: withToken(csrfToken), repeat: 'unprocessed' });
}

/** What the program of a code asks for. A wrong code counts as a wrong password does. */
export async function findDevice(csrfToken: string, code: string): Promise<ConsoleDeviceLogin> {
  const headers = withToken(csrfToken);
  return ask('POST', '/device-logins/find', consoleDeviceLogin, { headers, body: { user_code: code } });
}

/** Lets it sign in, or not; once. */
export async function decideDevice(csrfToken: string, code: string, decision: 'approve' | 'deny'): Promise<void> {
  const body = { user_code: code, decision };
  await send({ method: 'POST', path: '/device-logins', headers: withToken(csrfToken), body, repeat: 'unprocessed' });
}

async function ask<T>(
  method: 'GET' | 'POST',
  path: string,
  schema: z.ZodType<T>,
  more: { readonly body?: object; readonly headers?: Readonly<Record<string, string>> } = {},
): Promise<T> {
  return (await request(send, { method, path, repeat: 'unprocessed', ...more }, schema)).value;
}
