import { execFile } from 'node:child_process';
import { chmod, mkdtemp, readFile, rm, writeFile } from 'node:fs/promises';
import { createServer, type Server } from 'node:https';
import type { AddressInfo } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, beforeEach, expect, it } from '@jest/globals';
import { issueCertificate } from '@answer-evidence/testing';

const SCRIPT = new URL('../../deploy/chart/files/first-workspace.mjs', import.meta.url).pathname;
const TOKEN = 'aeu_0123456789.secret';

let folder: string;
let server: Server;
let url: string;
/** What the API server holds, and what it has been asked. */
let secrets: Map<string, any>;
let mayCreate: boolean;
let asked: string[];

beforeAll(async () => {
  folder = await mkdtemp(join(tmpdir(), 'answer-evidence-first-'));
  const ca = { name: 'ca', extensions: 'basicConstraints=critical,CA:TRUE\nkeyUsage=critical,keyCertSign' };
  await writeFile(join(folder, 'ca.crt'), await issueCertificate(folder, ca));
  const extensions = 'basicConstraints=CA:FALSE\nsubjectAltName=IP:127.0.0.1';
  const cert = await issueCertificate(folder, { name: 'server', issuer: 'ca', extensions });
  await writeFile(join(folder, 'namespace'), 'evidence');
  await writeFile(join(folder, 'token'), 'of-the-account\n');
  // Does what the real one does, as far as the script sees it.
  const operator = join(folder, 'answer-evidence-operator');
  await writeFile(
    operator,
    `#!/bin/sh\necho "$@" >>${folder}/operated\n[ "$3" = taken ] && exit 2\n` +
      `while [ "$1" != --config ]; do shift; done\nprintf 'context: demo\\n  token: ${TOKEN}\\n' >"$2"\n`,
  );
  await chmod(operator, 0o755);
  server = createServer({ cert, key: await readFile(join(folder, 'server.key')) }, (request, response) => {
    const pieces: Buffer[] = [];
    request.on('data', (piece: Buffer) => pieces.push(piece));
    request.on('end', () => {
      asked.push(`${String(request.method)} ${String(request.url)}`);
      if (request.headers.authorization !== 'Bearer of-the-account') return void response.writeHead(401).end();
      if (request.method === 'GET')
        return void response.writeHead(secrets.has(request.url?.split('/').at(-1) ?? '') ? 200 : 404).end('{}');
      if (!mayCreate) return void response.writeHead(403).end();
      const secret = JSON.parse(Buffer.concat(pieces).toString());
      if (!request.url?.includes('dryRun=All')) secrets.set(secret.metadata.name, secret);
      response.writeHead(201).end('{}');
    });
  });
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  url = `https://127.0.0.1:${(server.address() as AddressInfo).port}`;
});
afterAll(async () => {
  server.closeAllConnections();
  await new Promise((resolve) => server.close(resolve));
  await rm(folder, { recursive: true });
});
beforeEach(async () => {
  [secrets, mayCreate, asked] = [new Map(), true, []];
  await writeFile(join(folder, 'operated'), '');
});

function runJob(slug = 'demo'): Promise<{ readonly code: number; readonly said: string }> {
  const env = {
    PATH: `${folder}:${process.env['PATH'] ?? ''}`,
    WORKSPACE_SLUG: slug,
    WORKSPACE_NAME: 'The demo',
    WORKSPACE_MANAGER: 'admin',
    SECRET_NAME: 'first',
    API_SERVER: url,
    ACCOUNT_FOLDER: folder,
  };
  return new Promise((resolve) =>
    execFile(process.execPath, [SCRIPT], { env }, (error, stdout, stderr) =>
      resolve({ code: error === null ? 0 : Number(error.code), said: stdout + stderr }),
    ),
  );
}
const operated = () => readFile(join(folder, 'operated'), 'utf8');

it('makes the workspace once, and puts the token of its manager into a Secret that no log shows', async () => {
  const { code, said } = await runJob();
  expect([code, said]).toEqual([0, expect.stringContaining('the token of "admin" is in the Secret first')]);
  expect(secrets.get('first').stringData).toEqual({ token: TOKEN, slug: 'demo' });
  expect(await operated()).toMatch(/^workspace-create --slug demo --name The demo --manager admin --config \S+\n$/);
  expect(said).not.toContain(TOKEN);
  expect(await runJob()).toMatchObject({ code: 0, said: expect.stringContaining('nothing to do') });
  expect((await operated()).split('\n')).toHaveLength(2);
});

it('makes no workspace whose token it could not write down', async () => {
  mayCreate = false;
  expect(await runJob()).toMatchObject({ code: 1, said: expect.stringContaining('HTTP 403); nothing was done') });
  expect(await operated()).toBe('');
});

it('writes no Secret where the workspace was not made', async () => {
  expect(await runJob('taken')).toMatchObject({ code: 1, said: expect.stringContaining('"taken" was not made') });
  expect(secrets.size).toBe(0);
});
