import { type ChildProcess, spawn } from 'node:child_process';
import { randomUUID } from 'node:crypto';
import { mkdir, mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { findFreePort } from './free-port.ts';
import { isInstalled } from './is-installed.ts';
import { type S3Start, startCeph } from './start-ceph.ts';
import { untilAnswered } from './until.ts';

/** A private S3 server; anyone who opened it closes it. */
export type TestS3 = {
  /** `http://127.0.0.1:<port>`. */
  readonly url: string;
  readonly accessKey: string;
  readonly secretKey: string;
  /** Ceph as if its disks were full, which are memory here, or as before. MinIO keeps its bytes in the folder. */
  readonly setFull?: ((isFull: boolean) => Promise<void>) | undefined;
  close(): Promise<void>;
};

/** Whether tests that need an S3 server can run here. With `REQUIRE_SERVICES=1` they must. */
export function hasS3(): boolean {
  return process.env.REQUIRE_SERVICES === '1' || isInstalled('minio') || isInstalled('radosgw');
}

/**
 * Starts MinIO, or else Ceph's gateway, on free ports, in a folder of its own below `parent`. Ceph keeps the bytes in
 * memory. With a domain, a bucket may also be the first part of a host in it. Throws when neither is installed.
 */
export async function startTestS3(parent = tmpdir(), domain?: string): Promise<TestS3> {
  const { processes: _, ...server } = await startS3Processes(parent, domain);
  return server;
}

/** The same, with the processes that it consists of. */
export async function startS3Processes(
  parent: string,
  domain: string | undefined,
): Promise<TestS3 & { readonly processes: readonly ChildProcess[] }> {
  const directory = await mkdtemp(join(parent, 'answer-evidence-s3-'));
  const [accessKey, secretKey] = ['test-access-key', randomUUID()];
  const children: ChildProcess[] = [];
  async function close(): Promise<void> {
    await Promise.all(children.splice(0).map(end));
    await rm(directory, { recursive: true, force: true, maxRetries: 10, retryDelay: 50 });
  }
  try {
    const ports = [await findFreePort(), await findFreePort(), await findFreePort()] as const;
    const start: S3Start = {
      directory,
      ports,
      accessKey,
      secretKey,
      domain,
      keep(program, args, environment = {}) {
        children.push(spawn(program, [...args], { stdio: 'ignore', env: { ...process.env, ...environment } }));
      },
    };
    const ceph = isInstalled('minio') ? await startMinio(start) : await startCeph(start, () => untilServed(ports[0]));
    await untilServed(ports[0]);
    const url = `http://127.0.0.1:${ports[0]}`;
    return { url, accessKey, secretKey, setFull: ceph?.setFull, processes: [...children], close };
  } catch (error) {
    await close();
    throw error;
  }
}

async function startMinio({ directory, ports, accessKey, secretKey, domain, keep }: S3Start): Promise<undefined> {
  await mkdir(join(directory, 'minio'));
  keep('minio', ['server', '--address', `127.0.0.1:${ports[0]}`, join(directory, 'minio')], {
    MINIO_ROOT_USER: accessKey,
    MINIO_ROOT_PASSWORD: secretKey,
    ...(domain === undefined ? {} : { MINIO_DOMAIN: domain }),
  });
}

function untilServed(port: number): Promise<void> {
  return untilAnswered('S3', () => fetch(`http://127.0.0.1:${port}/`, { signal: AbortSignal.timeout(2_000) }));
}

async function end(child: ChildProcess): Promise<void> {
  if (child.exitCode !== null || child.signalCode !== null || child.pid === undefined) return;
  await new Promise<void>((resolve) => {
    child.once('exit', () => resolve());
    child.kill('SIGKILL');
  });
}
