import { spawn } from 'node:child_process';
import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import { request } from 'node:https';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { findFreePort } from '@answer-evidence/testing';
import { until } from '../../tools/scenery/service-process.ts';

/** Caddy with TLS in front of something; anyone who opened it closes it. */
export type TlsTerminator = {
  /** Posts JSON through TLS from an address of this machine, such as 127.0.0.2; the status. */
  post(from: string, path: string, body: unknown, headers: Readonly<Record<string, string>>): Promise<number>;
  close(): Promise<void>;
};

const DEADLINE_MS = 60_000;

/** Starts one before an address of HTTP, with a certificate of its own, and waits until it answers. */
export async function startTlsTerminator(url: string): Promise<TlsTerminator> {
  const folder = await mkdtemp(join(tmpdir(), 'answer-evidence-tls-'));
  const file = join(folder, 'Caddyfile');
  const port = await findFreePort();
  const own = '{\n\tadmin off\n\tskip_install_trust\n\tauto_https disable_redirects\n}';
  await writeFile(
    file,
    `${own}\nhttps://localhost:${port} {\n\ttls internal\n\treverse_proxy ${new URL(url).host}\n}\n`,
  );
  const child = spawn('caddy', ['run', '--config', file, '--adapter', 'caddyfile'], {
    stdio: 'ignore',
    env: { ...process.env, HOME: folder },
  });
  const ended = new Promise<void>((resolve) => void child.once('error', () => resolve()).once('exit', () => resolve()));
  const terminator: TlsTerminator = {
    post: (from, path, body, headers) =>
      new Promise((resolve, reject) => {
        const to = { host: '127.0.0.1', port, servername: 'localhost', rejectUnauthorized: false, localAddress: from };
        const own = { Host: 'localhost', 'Content-Type': 'application/json' };
        request({ ...to, path, method: 'POST', headers: { ...own, ...headers } }, (response) => {
          response.resume();
          resolve(response.statusCode ?? 0);
        })
          .on('error', reject)
          .end(JSON.stringify(body));
      }),
    async close() {
      child.kill('SIGTERM');
      await ended;
      await rm(folder, { recursive: true, force: true });
    },
  };
  const answers = () =>
    terminator.post('127.0.0.9', '/', {}, {}).then(
      () => true,
      () => false,
    );
  try {
    await until('TLS', answers, DEADLINE_MS);
  } catch (error) {
    await terminator.close();
    throw error;
  }
  return terminator;
}
