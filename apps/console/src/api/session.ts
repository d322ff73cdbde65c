import type * as z from 'zod';
import { ApiError, type Call, request } from '@answer-evidence/client';
import { createCalls, toCall } from '@answer-evidence/client/calls';
import { type ConsoleDeviceLogin, consoleSessionReply } from '@answer-evidence/contracts';
import {
  createConsoleSession,
  decideDeviceLogin,
  endConsoleSession,
  endConsoleSessions,
  findDeviceLogin,
  showConsoleSession,
  showSignInWays,
  useConsoleLink,
} from '@answer-evidence/contracts/operations';
import { CONSOLE_PATH, withinConsole } from './place.ts';
import { sendOwn, withToken } from './send.ts';

/** A process of an earlier release leaves the standbys out. */
const session = consoleSessionReply.partial({ asynchronous_standbys: true });
/** Who is signed in here. The cookie that proves it is out of reach of scripts. */
export type Session = z.infer<typeof session>;

const { call } = createCalls(sendOwn);
const open = async (asked: Call): Promise<Session> => (await request(sendOwn, asked, session)).value;

/** The session of this browser; null when nobody is signed in. */
export async function readSession(): Promise<Session | null> {
  try {
    return await open(toCall(showConsoleSession, {}));
  } catch (error) {
    if (error instanceof ApiError && error.status === 401) return null;
    throw error;
  }
}

/** Whether an OpenID provider vouches for people here, too. */
export async function hasProvider(): Promise<boolean> {
  return (await call(showSignInWays, {})).provider;
}

/** Where a browser goes to sign in there, and then on to the page it is at. */
export function providerAddress(): string {
  const next = withinConsole(location.pathname) + location.search;
  return `${CONSOLE_PATH}/sign-in/provider?next=${encodeURIComponent(next)}`;
}

/** Signs in with a password. Throws `ApiError` with the service's words when it refuses. */
export async function signIn(workspace: string, name: string, password: string): Promise<Session> {
  return open(toCall(createConsoleSession, { body: { workspace, name, password } }));
}

/** Sets a password by a one-time link, and signs in with it. The link works once, whatever came of the reply. */
export async function signInByLink(link: string, password: string): Promise<Session> {
  return open(toCall(useConsoleLink, { body: { link, password } }));
}

/** Signs out here, or in every browser. */
export async function signOut(csrfToken: string, everywhere: boolean): Promise<void> {
  await sendOwn(toCall(everywhere ? endConsoleSessions : endConsoleSession, {}, withToken(csrfToken)));
}

/** What the program of a code asks for. A wrong code counts as a wrong password does. */
export async function findDevice(csrfToken: string, code: string): Promise<ConsoleDeviceLogin> {
  return call(findDeviceLogin, { body: { user_code: code } }, withToken(csrfToken));
}

/** Lets it sign in, or not; once. */
export async function decideDevice(csrfToken: string, code: string, decision: 'approve' | 'deny'): Promise<void> {
  await sendOwn(toCall(decideDeviceLogin, { body: { user_code: code, decision } }, withToken(csrfToken)));
}
