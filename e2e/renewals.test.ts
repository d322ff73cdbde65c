import { createHash } from 'node:crypto';
import { mkdtemp, readFile, rm, writeFile } from 'node:fs/promises';
import type { IncomingMessage, ServerResponse } from 'node:http';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import type { AnchorItem, CheckResult, ProofBundle } from '@answer-evidence/contracts';
import {
  AUTHORITY_EXTENSIONS,
  issueRevocationList,
  listen,
  openTestAuthority,
  respondToOcsp,
  REVOKER_EXTENSIONS,
  runOpenssl,
  type TestAuthority,
} from '@answer-evidence/testing';
import { runCliCommand, runOperatorCommand, until } from '../tools/scenery/service-process.ts';
import { openTestService, type TestService } from '../tools/scenery/test-service.ts';
import { runPythonVerifier } from './independent-verifier/python-verifier.ts';
import { EAGER_POLICY } from './support/attested-log.ts';
import { openToldTarget, type ToldTarget } from './support/told-target.ts';

const DEADLINE_MS = 120_000;
const DAY_SECONDS = 86_400;

let folder: string;
let service: TestService;
let lists: Awaited<ReturnType<typeof listen>>;
let list: Uint8Array | undefined;
let respond: ((request: Uint8Array) => Promise<Uint8Array>) | undefined;
let first: TestAuthority;
let second: TestAuthority;
let target: ToldTarget;

beforeAll(async () => {
  folder = await mkdtemp(join(tmpdir(), 'answer-evidence-renewals-'));
  lists = await listen((request: IncomingMessage, response: ServerResponse) => {
    const parts: Buffer[] = [];
    request.on('data', (part: Buffer) => parts.push(part));
    request.on('end', () => {
      const found = request.url === '/ocsp' ? respond?.(new Uint8Array(Buffer.concat(parts))) : list;
      Promise.resolve(found).then(
        (body) => response.writeHead(body === undefined ? 404 : 200).end(body),
        () => response.destroy(),
      );
    });
  });
  first = await openTestAuthority({
    days: 2,
    extensions: [
      AUTHORITY_EXTENSIONS,
      `crlDistributionPoints=URI:${lists.url}/list.crl`,
      `authorityInfoAccess=OCSP;URI:${lists.url}/ocsp`,
    ].join('\n'),
    issuerExtensions: REVOKER_EXTENSIONS,
  });
  second = await openTestAuthority();
  service = await openTestService();
  target = await openToldTarget(service);
}, DEADLINE_MS);

afterAll(async () => {
  await service.close();
  await Promise.all([first.close(), second.close(), lists.close(), target.close()]);
  await rm(folder, { recursive: true, force: true });
}, DEADLINE_MS);

const at = (name: string) => join(folder, name);

/** A command that has to succeed, with what it printed as JSON. */
async function run(...args: readonly string[]): Promise<any> {
  const { code, stdout, stderr } = await runCliCommand(['--output', 'json', ...args], service);
  if (code !== 0) throw new Error(`${args.join(' ')}: ${code}\n${stderr}\n${stdout}`);
  return stdout === '' ? undefined : JSON.parse(stdout);
}

async function setPolicy(authorities: Readonly<Record<string, TestAuthority>>): Promise<void> {
  const anchors = Object.entries(authorities).map(([id, { url, rootPem }]) => {
    return { id, type: 'rfc3161', url, certificate_pem: rootPem, required: false };
  });
  const body = { ...EAGER_POLICY, anchors, anchors_required: 1 };
  expect((await service.call('PUT', '/api/trust/policy', { body })).status).toBe(200);
  await run('trust', 'anchor', 'run');
}

/** Waits until an anchor has an attempt with this outcome, and returns it. */
async function attempted(id: string, outcome: string): Promise<AnchorItem> {
  let found: AnchorItem | undefined;
  await until(
    `${outcome} by ${id}`,
    async () => {
      const items: readonly AnchorItem[] = (await run('trust', 'anchor', 'list')).items;
      found = items.find((item) => item.anchor_id === id && item.attempts.some((one) => one.outcome === outcome));
      return found !== undefined;
    },
    DEADLINE_MS / 2,
  );
  if (found === undefined) throw new Error(`${id} has no attempt`);
  return found;
}

/** What the doctor says of renewals. */
async function inspectRenewals(): Promise<readonly string[]> {
  const { dataDir, databaseUrl } = service;
  const { stdout } = await runOperatorCommand(['doctor'], { dataDir, environment: { DATABASE_URL: databaseUrl } });
  return stdout.split('\n').flatMap((line) =>
    line
      .split(' anchors.renewal: ')
      .slice(1)
      .map((text) => `${line.slice(0, 4)} ${text}`),
  );
}

/** A gauge of the service. */
async function readGauge(name: string): Promise<number> {
  const text = await (await fetch(`${service.metricsUrlOf('trust-worker')}/metrics`)).text();
  return Number(
    text
      .split('\n')
      .find((line) => line.startsWith(`${name} `))
      ?.split(' ')[1],
  );
}

/** The root of a path, by the words of RFC 4998 section 4.3. */
function rootOf(path: readonly (readonly string[])[], hash = 'sha256'): string {
  let below: string[] = [];
  for (const group of path) {
    const hashes = [...group, ...below].sort().join('');
    below = [createHash(hash).update(Buffer.from(hashes, 'hex')).digest('hex')];
  }
  return below[0] ?? '';
}

/** What `openssl ts -verify` says of a token, as if it were so many days later. */
async function verifyToken(token: string, over: readonly string[], root: string, days: number): Promise<string> {
  await writeFile(at('token.tsr'), Buffer.from(token, 'base64'));
  await writeFile(at('root.pem'), root);
  const time = ['-attime', String(Math.floor(Date.now() / 1000) + days * DAY_SECONDS)];
  return runOpenssl(folder, ['ts', '-verify', ...over, '-in', 'token.tsr', '-CAfile', 'root.pem', ...time]).catch(
    (error: { stderr: string }) => error.stderr,
  );
}

describe('a record whose time-stamp was renewed', () => {
  it(
    'is verified by openssl, both verifiers and as an evidence record, when the first certificate has ended',
    async () => {
      const texts = ['--question-text', 'How long is the warranty?', '--answer-text', 'Two years.'];
      await setPolicy({ a: first });
      const record = await run('records', 'create', '--application', 'support-bot', ...texts);
      await attempted('a', 'confirmed');
      const failed = await attempted('a.renewal-1', 'failed');
      expect(failed.attempts[0]?.detail).toContain('another authority is needed');
      expect(failed.attempts[0]?.detail).toContain('a revocation list was not kept: the response has the status 404');
      expect(failed.attempts[0]?.detail).toContain('a response of OCSP was not kept: the response has the status 404');
      await target.expectOnce('anchor.failing', { name: 'a.renewal-1', severity: 'high' });
      await until('the gauge', async () => (await readGauge('trust_renewals_failing')) === 1, DEADLINE_MS / 2);
      const left = await readGauge('trust_authorities_end_seconds');
      expect([left > DAY_SECONDS, left < 2 * DAY_SECONDS]).toEqual([true, true]);
      expect(await inspectRenewals()).toEqual([
        expect.stringMatching(
          /^WARN the renewal a\.renewal-1 of the workspace "\w+" failed \d+ times: .*another authority/,
        ),
        expect.stringMatching(
          /^WARN the certificates of all authorities of the workspace "\w+" end by .* in 1 days; put/,
        ),
      ]);
      const tomorrow = new Date(Date.now() + DAY_SECONDS * 1_000);
      list = await issueRevocationList(first.directory, {
        issuer: 'between',
        serial: 3,
        reason: 'cessationOfOperation',
        at: tomorrow,
      });
      const revoked = { at: tomorrow, reason: 'cessationOfOperation' };
      respond = (request) => respondToOcsp(first.directory, request, { issuer: 'between', serial: 3, revoked });
      await setPolicy({ a: first, b: second });
      const renewal = await attempted('b.renewal-2', 'confirmed');
      await target.expectOnce('anchor.back', { name: 'a.renewal-1' });
      expect(await inspectRenewals()).toEqual([
        expect.stringMatching(/^PASS the last certificate of an authority ends in 36\d days at the earliest$/),
      ]);
      await run('trust', 'anchor', 'run', '--renew', '--hash', 'sha-512');
      const anew = await attempted('b.renewal-4', 'confirmed');
      await run('trust', 'export', '--out', at('trust.json'));
      await run('trust', 'proof', record.id, '--out', at('bundle.json'));
      await service.stop();

      const bundle = JSON.parse(await readFile(at('bundle.json'), 'utf8')) as ProofBundle;
      const { anchors, renewals = [] } = bundle;
      expect(renewals.map(({ anchor_id: id, hash, revocation_lists: kept }) => [id, hash, kept.length])).toEqual([
        ['b', undefined, 2],
        ['b', 'sha-512', 2],
      ]);
      const [path = [], wider = []] = renewals.map(({ paths }) => paths[0] ?? []);
      expect([rootOf(path), rootOf(wider, 'sha512')]).toEqual([renewal.digest, anew.digest]);

      // The first token is good today and not in three days; the second is good for both.
      await run('trust', 'evidence-record', at('bundle.json'), '--out', at('record.ers'), '--data', at('data.txt'));
      const token = anchors.find(({ anchor_id: id }) => id === 'a')?.artefact ?? '';
      const data = ['-data', at('data.txt')];
      const digest = ['-digest', renewal.digest];
      expect(await verifyToken(token, data, first.rootPem, 0)).toContain('Verification: OK');
      expect(await verifyToken(token, data, first.rootPem, 3)).toContain('certificate has expired');
      expect(await verifyToken(renewals[0]?.artefact ?? '', digest, second.rootPem, 3)).toContain('Verification: OK');
      const longer = ['-digest', anew.digest];
      expect(await verifyToken(renewals[1]?.artefact ?? '', longer, second.rootPem, 3)).toContain('Verification: OK');

      const files = [at('bundle.json'), '--trust', at('trust.json')];
      const { checks } = (await run('verify', ...files)) as { checks: CheckResult[] };
      const own = checks.find(({ check }) => check === 'external_anchor');
      expect(own).toMatchObject({ outcome: 'PASS', detail: expect.stringContaining('renewed by b at ') });
      const other = runPythonVerifier(['--output', 'json', ...files]);
      expect(JSON.parse(other.stdout).checks).toContainEqual(
        expect.objectContaining({ check: 'external_anchor', outcome: 'PASS' }),
      );

      // The tokens stand in the record as they came, one behind the other.
      const parsed = await runOpenssl(folder, ['asn1parse', '-inform', 'DER', '-in', 'record.ers']);
      expect(parsed.match(/d=4 .*cons: cont \[ 2 \]/g)).toHaveLength(2);
      expect(parsed.match(/d=5 .*OBJECT +:pkcs7-signedData/g)).toHaveLength(3);
      expect(parsed).toContain(':sha512');
      expect(parsed).toContain(`[HEX DUMP]:${path[0]?.[0]?.toUpperCase() ?? ''}`);
    },
    DEADLINE_MS,
  );
});
