import { type ChildProcess, spawn } from 'node:child_process';
import { readFile } from 'node:fs/promises';
import { createServer } from 'node:net';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';

const MAIN = fileURLToPath(new URL('../../apps/all-in-one/src/main.ts', import.meta.url));

/** A service as `npm start` runs it: its own process, the embedded PostgreSQL, a data folder of its own. */
export type RealProcess = {
  readonly baseUrl: string;
  readonly metricsUrl: string;
  readonly managerToken: string;
  /** Everything that the process has written to standard output and standard error. */
  output(): string;
  /** Ends it with SIGTERM and waits; resolves to its exit code. */
  stop(): Promise<number | null>;
};

/** Starts the process and resolves when it says that it is ready. */
export async function startRealProcess(dataDir: string): Promise<RealProcess> {
  const [port, metricsPort] = await findFreePorts(2);
  const { PATH = '', HOME = '' } = process.env;
  const child = spawn(process.execPath, ['--disable-warning=ExperimentalWarning', MAIN], {
    env: {
      PATH,
      HOME,
      SERVICE_DATA_DIR: dataDir,
      SERVICE_HTTP_PORT: String(port),
      SERVICE_METRICS_PORT: String(metricsPort),
      SERVICE_LOG_LEVEL: 'debug',
    },
    stdio: ['ignore', 'pipe', 'pipe'],
  });
  let written = '';
  const exited = new Promise<number | null>((resolve) => child.on('close', resolve));
  await new Promise<void>((resolve, reject) => {
    const take = (chunk: string) => {
      written += chunk;
      if (written.includes('ready at')) resolve();
    };
    child.stdout.setEncoding('utf8').on('data', take);
    child.stderr.setEncoding('utf8').on('data', take);
    void exited.then((code) => {
      reject(new Error(`the service ended with ${code}: ${written}`));
    });
  });
  const config = await readFile(join(dataDir, 'config.yaml'), 'utf8');
  return {
    baseUrl: `http://127.0.0.1:${port}`,
    metricsUrl: `http://127.0.0.1:${metricsPort}/metrics`,
    managerToken: /token: (aeu_\S+)/.exec(config)?.[1] ?? '',
    output: () => written,
    stop: () => end(child, exited),
  };
}

async function end(child: ChildProcess, exited: Promise<number | null>): Promise<number | null> {
  child.kill('SIGTERM');
  return exited;
}

async function findFreePorts(count: number): Promise<readonly number[]> {
  const servers = Array.from({ length: count }, () => createServer());
  try {
    return await Promise.all(
      servers.map(
        (server) =>
          new Promise<number>((resolve, reject) => {
            server.once('error', reject);
            server.listen(0, '127.0.0.1', () => {
              const address = server.address();
              if (address === null || typeof address === 'string') reject(new Error('a TCP server has a port'));
              else resolve(address.port);
            });
          }),
      ),
    );
  } finally {
    await Promise.all(servers.map((server) => new Promise((resolve) => server.close(resolve))));
  }
}
