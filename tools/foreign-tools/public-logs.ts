import { spawn } from 'node:child_process';
import { createHash, generateKeyPairSync, type KeyObject } from 'node:crypto';
import { mkdtemp, readFile, rm, writeFile } from 'node:fs/promises';
import type { IncomingMessage, ServerResponse } from 'node:http';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { describe } from '@jest/globals';
import { findFreePort, listen } from '@answer-evidence/testing';
import { pythonBin, runsGoTools } from './python-tools.ts';

/** What `install-logs.sh` builds. */
const REKOR = join(pythonBin, 'rekor-server-2.3.0');
/** Sigstore's own verifier, as a program. */
export const VERIFY_ENTRY = join(pythonBin, 'verify-entry-1.3.0');
/** Tessera's check of a whole log. */
export const FSCK = join(pythonBin, 'fsck-1.0.4');

/** Runs tests of the programs. */
export const describeWithLogs = runsGoTools(REKOR, VERIFY_ENTRY, FSCK) ? describe : describe.skip;

/** A log of Rekor v2, and the public key that its checkpoints are under. Anyone who opens it closes it. */
export type RekorServer = {
  readonly url: string;
  /** A `trusted_root.json` with this log alone. */
  readonly trustedRoot: string;
  /** Its vkey. */
  readonly vkey: string;
  /** Starts it anew, as one that takes no more entries. */
  retire(): Promise<void>;
  close(): Promise<void>;
};

const HOST = '127.0.0.1';
const NOT_FOUND = 404;
const STARTED_MS = 30_000;

/**
 * Opens Rekor's own server on a POSIX file system. As in production, entries are posted to it, and its checkpoint and
 * tiles are files that another server shows.
 */
export async function openRekorServer(): Promise<RekorServer> {
  const folder = await mkdtemp(join(tmpdir(), 'rekor-server-'));
  const { publicKey, privateKey } = generateKeyPairSync('ed25519');
  await writeFile(join(folder, 'key.pem'), privateKey.export({ type: 'pkcs8', format: 'pem' }), { mode: 0o600 });
  const storage = join(folder, 'log');
  let server = await startServer(folder, storage, []);
  const front = await listen((request, response) => {
    const path = /^\/api\/v2\/((?:checkpoint|tile\/[a-z0-9/.]+))$/.exec(request.url ?? '')?.[1];
    if (request.method === 'GET' && path !== undefined) void showFile(join(storage, path), response);
    else void forward(request, response, server.url);
  });
  const named = describeLog(front.url, publicKey);
  return {
    url: front.url,
    ...named,
    async retire() {
      await server.stop();
      server = await startServer(folder, storage, ['--read-only']);
    },
    async close() {
      await front.close();
      await server.stop();
      await rm(folder, { recursive: true, force: true });
    },
  };
}

type Running = { readonly url: string; stop(): Promise<void> };

async function startServer(folder: string, storage: string, more: readonly string[]): Promise<Running> {
  const [http, grpc, metrics] = [await findFreePort(), await findFreePort(), await findFreePort()];
  const log = ['--hostname', HOST, '--storage-dir', storage, '--signer-filepath', join(folder, 'key.pem')];
  const pace = ['--checkpoint-interval', '500ms', '--batch-max-age', '50ms'];
  const ports = ['--http-port', http, '--grpc-port', grpc, '--http-metrics-port', metrics].map(String);
  const child = spawn(REKOR, ['serve', ...log, ...pace, ...ports, ...more], { stdio: ['ignore', 'ignore', 'pipe'] });
  let said = '';
  child.stderr.setEncoding('utf8').on('data', (words: string) => (said += words));
  const exited = new Promise<void>((resolve) => child.once('exit', () => resolve()));
  const url = `http://${HOST}:${http}`;
  const deadline = AbortSignal.timeout(STARTED_MS);
  while (!(await isHealthy(url))) {
    if (child.exitCode !== null || deadline.aborted) throw new Error(`Rekor's server did not start: ${said}`);
    await new Promise((resolve) => setTimeout(resolve, 50));
  }
  return {
    url,
    async stop() {
      child.kill('SIGKILL');
      await exited;
    },
  };
}

async function isHealthy(url: string): Promise<boolean> {
  return await fetch(`${url}/healthz`).then(
    async (response) => (await response.text()).includes('SERVING'),
    () => false,
  );
}

async function showFile(path: string, response: ServerResponse): Promise<void> {
  const bytes = await readFile(path).catch(() => undefined);
  if (bytes === undefined) response.writeHead(NOT_FOUND).end();
  else response.end(bytes);
}

async function forward(request: IncomingMessage, response: ServerResponse, url: string): Promise<void> {
  const chunks: Buffer[] = [];
  for await (const chunk of request) chunks.push(chunk as Buffer);
  const headers = { 'content-type': request.headers['content-type'] ?? '' };
  const { method = 'GET' } = request;
  const reply = await fetch(url + (request.url ?? ''), { method, headers, body: Buffer.concat(chunks) });
  const type = reply.headers.get('content-type') ?? '';
  response.writeHead(reply.status, { 'content-type': type }).end(Buffer.from(await reply.arrayBuffer()));
}

/** A key as others name it, by Node's own SHA-256 and no code of ours. */
function describeLog(url: string, publicKey: KeyObject): Pick<RekorServer, 'trustedRoot' | 'vkey'> {
  const spki = publicKey.export({ type: 'spki', format: 'der' });
  const typed = Buffer.concat([Buffer.of(1), spki.subarray(-32)]);
  const id = createHash('sha256').update(`${HOST}\n`).update(typed).digest();
  const validFor = { start: '2025-09-01T00:00:00Z' };
  const key = { rawBytes: spki.toString('base64'), keyDetails: 'PKIX_ED25519', validFor };
  const tlog = { baseUrl: url, hashAlgorithm: 'SHA2_256', publicKey: key, logId: { keyId: id.toString('base64') } };
  return {
    trustedRoot: JSON.stringify({
      mediaType: 'application/vnd.dev.sigstore.trustedroot+json;version=0.1',
      tlogs: [tlog],
    }),
    vkey: `${HOST}+${id.toString('hex', 0, 4)}+${typed.toString('base64')}`,
  };
}
