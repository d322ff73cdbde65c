import { execFile } from 'node:child_process';
import { existsSync } from 'node:fs';
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { fileURLToPath } from 'node:url';
import { promisify } from 'node:util';
import { describe, expect, it } from '@jest/globals';

const ROOT = fileURLToPath(new URL('../../../', import.meta.url));
const MAIN = fileURLToPath(new URL('main.ts', import.meta.url));
/** A user as OpenShift makes them: no file of the system names it. */
const UID = '1000650000';
// Only the superuser can become a user that does not exist.
const canBecome = process.getuid?.() === 0 && existsSync('/usr/bin/setpriv');

/** Runs the command line as that user, without HOME unless it is given. */
function run(args: readonly string[], env: Readonly<Record<string, string>>) {
  const program = [process.execPath, '--disable-warning=ExperimentalWarning', MAIN, ...args];
  const become = ['--reuid', UID, '--clear-groups', '--', ...program];
  return promisify(execFile)('/usr/bin/setpriv', become, { cwd: ROOT, env: { PATH: process.env['PATH'], ...env } });
}

(canBecome ? describe : describe.skip)('a user without an entry in passwd', () => {
  it.each([
    ['without HOME', {}],
    ['with HOME=/', { HOME: '/' }],
  ])('reaches the service by the settings of the environment, %s', async (_, home) => {
    let requests = 0;
    const server = createServer((_request, reply) => {
      requests++;
      reply.writeHead(401, { 'Content-Type': 'application/problem+json' });
      reply.end(
        JSON.stringify({ type: '', title: 'No', status: 401, detail: 'no such token', code: 'unauthenticated' }),
      );
    });
    await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
    const { port } = server.address() as AddressInfo;
    const env = { SERVICE_REGISTRY: `http://127.0.0.1:${port}`, SERVICE_TOKEN: 'aeu_token', ...home };
    try {
      const failed = await run(['whoami'], env).catch((error: unknown) => error as { stderr: string });
      expect(failed.stderr).not.toMatch(/uv_os|ENOENT|at .*\.ts/);
      expect(requests).toBeGreaterThan(0);
    } finally {
      server.close();
    }
  });
});
