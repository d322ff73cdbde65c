import { randomInt } from 'node:crypto';
import { createServer } from 'node:net';
import { type DataDir, findText } from './data-dir.ts';

/** Whether a port of 127.0.0.1 can be listened on; 0 finds any. The port is free again when this resolves. */
async function findBindable(port: number): Promise<number | undefined> {
  const server = createServer();
  return new Promise((resolve) => {
    server.once('error', () => resolve(undefined));
    server.listen({ port, host: '127.0.0.1' }, () => {
      const address = server.address();
      server.close(() => resolve(typeof address === 'object' ? address?.port : undefined));
    });
  });
}

/** Whether nothing listens on this port of 127.0.0.1. */
export async function isPortFree(port: number): Promise<boolean> {
  return (await findBindable(port)) !== undefined;
}

/**
 * Ports that no system gives to outgoing connections by default (Linux begins at 32768, others at 49152): a server that
 * stops for a moment finds its port free again.
 */
const PORTS = { from: 20_000, to: 32_000 };
const TRIES = 20;

async function findQuietPort(): Promise<number | undefined> {
  for (let n = 0; n < TRIES; n++) {
    const port = await findBindable(randomInt(PORTS.from, PORTS.to));
    if (port !== undefined) return port;
  }
  return findBindable(0);
}

/** The port of the last start while it is free, else another free one. */
export async function findPort(dir: DataDir): Promise<number> {
  const last = /^(\d{1,5})\n$/.exec((await findText(dir.portFile)) ?? '')?.[1];
  const kept = last === undefined || Number(last) > 65_535 ? undefined : await findBindable(Number(last));
  const port = kept ?? (await findQuietPort());
  if (port === undefined) throw new Error('no port of 127.0.0.1 is free');
  return port;
}
