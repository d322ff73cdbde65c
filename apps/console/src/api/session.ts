import * as z from 'zod';
import { ApiError, UnreachableError } from '@answer-evidence/client';
import { type ConsoleDeviceLogin, consoleDeviceLogin, problem } from '@answer-evidence/contracts';
import { CONSOLE_PATH, withinConsole } from './place.ts';

const session = z.object({
  workspace: z.object({ id: z.string(), slug: z.string(), name: z.string() }),
  member: z.object({ id: z.string(), name: z.string(), role: z.string() }),
  csrf_token: z.string(),
  expires_at: z.string(),
  idle_expires_at: z.string(),
  /** Left out by a process of an earlier release. */
  asynchronous_standbys: z.number().optional(),
});
/** Who is signed in here. The cookie that proves it is out of reach of scripts. */
export type Session = z.infer<typeof session>;

const SESSION = `${CONSOLE_PATH}/session`;

/** The session of this browser; null when nobody is signed in. */
export async function readSession(): Promise<Session | null> {
  try {
    return session.parse(await send('GET', SESSION));
  } catch (error) {
    if (error instanceof ApiError && error.status === 401) return null;
    throw error;
  }
}

/** Whether an OpenID provider vouches for people here, too. */
export async function hasProvider(): Promise<boolean> {
  return z.object({ provider: z.boolean() }).parse(await send('GET', `${CONSOLE_PATH}/sign-in`)).provider;
}

/** Where a browser goes to sign in there, and then on to the page it is at. */
export function providerAddress(): string {
  const next = withinConsole(location.pathname) + location.search;
  return `${CONSOLE_PATH}/sign-in/provider?next=${encodeURIComponent(next)}`;
}

/** Signs in with a password. Throws `ApiError` with the service's words when it refuses. */
export async function signIn(workspace: string, name: string, password: string): Promise<Session> {
  return session.parse(await send('POST', SESSION, { body: { workspace, name, password } }));
}

/** Sets a password by a one-time link, and signs in with it. The link works once, whatever came of the reply. */
export async function signInByLink(link: string, password: string): Promise<Session> {
  return session.parse(await send('POST', `${SESSION}/link`, { body: { link, password } }));
}

/** Signs out here, or in every browser. */
export async function signOut(csrfToken: string, everywhere: boolean): Promise<void> {
  await send('DELETE', everywhere ? `${CONSOLE_PATH}/sessions` : SESSION, { csrfToken });
}

/** What the program of a code asks for. A wrong code counts as a wrong password does. */
export async function findDevice(csrfToken: string, code: string): Promise<ConsoleDeviceLogin> {
  return consoleDeviceLogin.parse(
    await send('POST', `${CONSOLE_PATH}/device-logins/find`, { csrfToken, body: { user_code: code } }),
  );
}

/** Lets it sign in, or not; once. */
export async function decideDevice(csrfToken: string, code: string, decision: 'approve' | 'deny'): Promise<void> {
  await send('POST', `${CONSOLE_PATH}/device-logins`, { csrfToken, body: { user_code: code, decision } });
}

async function send(
  method: string,
  path: string,
  { body, csrfToken }: { readonly body?: object; readonly csrfToken?: string } = {},
): Promise<unknown> {
  const response = await fetch(path, {
    method,
    headers: {
      ...(body === undefined ? {} : { 'content-type': 'application/json' }),
      ...(csrfToken === undefined ? {} : { 'x-csrf-token': csrfToken }),
    },
    ...(body === undefined ? {} : { body: JSON.stringify(body) }),
    redirect: 'error',
  }).catch((error: unknown) => {
    throw new UnreachableError(location.origin, 'connection failed', 1, error);
  });
  const value: unknown = response.status === 204 ? null : await response.json().catch(() => null);
  if (response.ok) return value;
  const parsed = problem.safeParse(value);
  throw parsed.success
    ? new ApiError(response.status, parsed.data.detail, parsed.data)
    : new ApiError(response.status, 'the response does not come from this service');
}
