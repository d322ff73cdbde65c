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
    async close() {
      if (child.exitCode !== null || child.signalCode !== null) return;
      child.kill('SIGKILL');
      await once(child, 'exit');
    },
  };
}

async function messageOf(child: ChildProcess): Promise<unknown> {
  const [message] = (await once(child, 'message')) as [unknown];
  return message;
}
