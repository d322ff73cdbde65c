import { writeFile } from 'node:fs/promises';
import { request } from 'node:https';
import { join } from 'node:path';
import { findFreePort, startProgram } from '@answer-evidence/testing';

/** Caddy with TLS in front of something; anyone who opened it closes it. */
export type TlsTerminator = {
  /** Posts JSON through TLS from an address of this machine, such as 127.0.0.2; the status. */
  post(from: string, path: string, body: unknown, headers: Readonly<Record<string, string>>): Promise<number>;
  close(): Promise<void>;
};

/** Starts one before an address of HTTP, with a certificate of its own, and waits until it answers. */
export async function startTlsTerminator(url: string): Promise<TlsTerminator> {
  const port = await findFreePort();
  const post: TlsTerminator['post'] = (from, path, body, headers) =>
    new Promise((resolve, reject) => {
      const to = { host: '127.0.0.1', port, servername: 'localhost', rejectUnauthorized: false, localAddress: from };
      const own = { Host: 'localhost', 'Content-Type': 'application/json' };
      request({ ...to, path, method: 'POST', headers: { ...own, ...headers } }, (response) => {
        response.resume();
        resolve(response.statusCode ?? 0);
      })
        .on('error', reject)
        .end(JSON.stringify(body));
    });
  const { close } = await startProgram('tls', {
    async prepare(folder) {
      const file = join(folder, 'Caddyfile');
      const own = '{\n\tadmin off\n\tskip_install_trust\n\tauto_https disable_redirects\n}';
      const site = `https://localhost:${port} {\n\ttls internal\n\treverse_proxy ${new URL(url).host}\n}`;
      await writeFile(file, `${own}\n${site}\n`);
      return ['caddy', 'run', '--config', file, '--adapter', 'caddyfile'];
    },
    ask: () => post('127.0.0.9', '/', {}, {}),
    signal: 'SIGTERM',
  });
  return { post, close };
}
