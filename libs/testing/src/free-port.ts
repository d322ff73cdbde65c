import { createServer } from 'node:net';

/** Below the ports that systems hand out (from 32768 on Linux, 49152 elsewhere), which others may be given. */
const FIRST = 20_000;
const PORTS = 12_000;
/** How far apart the processes of one test run begin. */
const APART = 1_000;

// Test runs at the same time differ by their processes, and each leaves half of its share to go on from there.
let next = Number(process.env['JEST_WORKER_ID'] ?? 0) * APART + (process.pid % (APART / 2));

/** A port of 127.0.0.1 that is free, and that nobody is given by chance while its server is not running. */
export async function findFreePort(): Promise<number> {
  for (let tries = 0; tries < PORTS; tries++) {
    const port = FIRST + (next++ % PORTS);
    if (await isFree(port)) return port;
  }
  throw new Error(`no port from ${FIRST} to ${FIRST + PORTS - 1} is free`);
}

function isFree(port: number): Promise<boolean> {
  const server = createServer();
  return new Promise((resolve) => {
    server.once('error', () => resolve(false));
    server.listen(port, '127.0.0.1', () => server.close(() => resolve(true)));
  });
}
