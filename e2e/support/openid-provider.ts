import { type ChildProcess, fork } from 'node:child_process';
import { once } from 'node:events';
import { fileURLToPath } from 'node:url';

const PROGRAM = fileURLToPath(new URL('openid-provider-process.ts', import.meta.url));

/** What the service is registered as. */
export const CLIENT = { id: 'answer-evidence', secret: 'a secret of the tests, known to nobody' } as const;

/** An OpenID provider in a process of its own. It vouches for whatever `login_hint` says, else for `anna`. */
export type TestProvider = {
  readonly issuer: string;
  /** Until then, it responds 503 to everything. */
  register(redirectUri: string): Promise<void>;
  /** From then on, the person is in these groups, and in no other. */
  setGroups(subject: string, groups: unknown): Promise<void>;
  close(): Promise<void>;
};

/** Starts a provider that nobody is registered at. */
export async function openTestProvider(): Promise<TestProvider> {
  const child = fork(PROGRAM, { stdio: ['ignore', 'ignore', 'inherit', 'ipc'] });
  const port = await messageOf(child);
  return {
    issuer: `http://localhost:${String(port)}`,
    async register(redirectUri) {
      child.send(redirectUri);
      await messageOf(child);
    },
    async setGroups(subject, groups) {
      child.send({ subject, groups });
      await messageOf(child);
    },
    async close() {
      if (child.exitCode !== null || child.signalCode !== null) return;
      child.kill('SIGKILL');
      await once(child, 'exit');
    },
  };
}

/** Signs in at the provider as a person; the address with which the browser comes back. */
export async function askProvider({ issuer }: TestProvider, address: URL, person: string): Promise<URL> {
  const jar = new Map<string, string>();
  const asked = new URL(address);
  asked.searchParams.set('login_hint', person);
  let at = asked;
  while (at.origin === issuer) {
    const cookie = [...jar].map(([name, value]) => `${name}=${value}`).join('; ');
    const reply = await fetch(at, { redirect: 'manual', headers: { cookie } });
    if (![302, 303].includes(reply.status)) throw new Error(`the provider responded ${reply.status}`);
    for (const line of reply.headers.getSetCookie()) {
      const [name = '', value = ''] = (line.split(';')[0] ?? '').split(/=(.*)/s);
      jar.set(name, value);
    }
    at = new URL(reply.headers.get('location') ?? '', at);
  }
  return at;
}

async function messageOf(child: ChildProcess): Promise<unknown> {
  const [message] = (await once(child, 'message')) as [unknown];
  return message;
}

/** What kinds of providers say of a person, by their subject there: each in the form that it sends. */
export const PEOPLE: Readonly<Record<string, Readonly<Record<string, unknown>>>> = {
  // Entra ID: a subject for each client, an address with capitals, and no word on whether it was verified.
  'k9XgV_3mQpR7-AbCdEfGhIjKlMnOpQrStUvWxYz0123': { email: 'Eva@Example.com', preferred_username: 'Eva@Example.com' },
  '00uAb1Cd2EfGhIjKl4x7': { email: 'Olaf.Okta@Example.com', email_verified: true },
  '108204268033311374519': { email: 'gina@example.com', email_verified: true },
  'f:5c3a9a6b-2f0e-4c8e-9f0d-1d3f6f1a0b52:karl': { email: 'karl@example.com', email_verified: false },
  'auth0|5f7c8ec7c33c6c004bbafe82': { email: 'aura@example.com', email_verified: false },
  // Cognito: the verification is a text.
  '94182468-20e1-70d8-5c1b-6a5f1c0f6c7e': { email: 'cora@example.com', email_verified: 'true' },
  'café@example.com': { email: 'café@example.com', email_verified: true },
};

/** The claims about a person beside their subject. */
export function findClaims(subject: string): Readonly<Record<string, unknown>> {
  return PEOPLE[subject] ?? { email: `${subject}@example.com`, email_verified: subject !== 'unverified' };
}
