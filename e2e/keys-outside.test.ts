import { execFile, spawn } from 'node:child_process';
import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { promisify } from 'node:util';
import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { Client } from 'pg';
import { parseNote, parseTlogProof } from '@answer-evidence/note';
import { StartError } from '@answer-evidence/runtime';
import {
  type FakeAws,
  hasSoftHsm,
  isInstalled,
  openFakeAws,
  openSoftHsm,
  type SoftHsm,
  withVariables,
} from '@answer-evidence/testing';
import { runOperatorCommand, until } from '../tools/scenery/service-process.ts';
import { answer, openTestService, type Reply, type TestService } from '../tools/scenery/test-service.ts';

const HERE = fileURLToPath(new URL('.', import.meta.url));
const FAULTY = join(HERE, '../libs/adapters/pkcs11/fixtures/faulty-pkcs11js');
const MINUTE_MS = 60_000;

let hsm: SoftHsm;
let folder: string;
let fault: string;
beforeAll(async () => {
  folder = await mkdtemp(join(tmpdir(), 'keys-outside-'));
  fault = join(folder, 'fault');
  if (hasSoftHsm()) hsm = await openSoftHsm();
}, MINUTE_MS);
afterAll(async () => {
  if (hasSoftHsm()) await hsm.close();
  await rm(folder, { recursive: true, force: true });
});

const describeHere = hasSoftHsm() ? describe : describe.skip;
type Environment = Readonly<Record<string, string>>;

const tokenSettings = (): Environment => ({
  PKCS11_MODULE: hsm.module,
  PKCS11_TOKEN: hsm.token,
  PKCS11_PIN: hsm.pin,
  PKCS11_PACKAGE: hsm.packageFolder,
});
const inToken = (): Environment => ({ ...tokenSettings(), SERVICE_LOG_KEYS: 'pkcs11' });

/** The library of the token is found by variables of the process. */
const withHsm = <T>(action: () => Promise<T>): Promise<T> =>
  withVariables({ ...hsm.variables, FAULTY_PKCS11JS_REAL: hsm.packageFolder, FAULTY_PKCS11JS_FILE: fault }, action);
const become = (what: string | undefined) => (what === undefined ? rm(fault, { force: true }) : writeFile(fault, what));

const create = (service: TestService, name: string): Promise<Reply> =>
  service.call('POST', '/api/answer-audit-logs', { body: { ...answer(name), idempotency_key: name } });

async function keysOf(service: TestService) {
  const { body } = await service.call('GET', '/api/trust/keys');
  return body.items as readonly { readonly vkey: string; readonly state: string }[];
}

/** The checkpoint of a reply's receipt, as a note. */
function checkpointOf({ status, body }: Reply): string {
  expect(status).toBe(201);
  return parseTlogProof(body.receipt).checkpoint;
}

async function isVerified(service: TestService, { body }: Reply): Promise<boolean> {
  const verified = await service.call('GET', `/api/answer-audit-logs/${body.id}/ledger/verify`);
  const failed = verified.body.checks.filter((check: { outcome: string }) => check.outcome === 'FAIL');
  return verified.status === 200 && failed.length === 0;
}

/** What a process is refused with. */
async function refusalOf(share: Pick<TestService, 'databaseUrl' | 'dataDir'>, environment: Environment) {
  const refused = await openTestService({ share, environment }).then(
    () => 'it started',
    (error: unknown) => error,
  );
  expect(refused).toBeInstanceOf(StartError);
  return (refused as StartError).message;
}

let noteVerifier: Promise<string> | undefined;
/** The names and key hashes that Go's note package verifies a note by. */
async function verifyByGo(note: string, vkeys: readonly string[]): Promise<readonly string[]> {
  noteVerifier ??= (async () => {
    const program = join(folder, 'foreign-note');
    await promisify(execFile)('go', ['build', '-o', program, '.'], { cwd: join(HERE, 'foreign-note') });
    return program;
  })();
  const child = spawn(await noteVerifier, [...vkeys], { stdio: ['pipe', 'pipe', 'inherit'] });
  child.stdin.end(note);
  let out = '';
  for await (const piece of child.stdout) out += String(piece);
  return out.trim().split('\n');
}

describeHere('the keys of logs in an HSM', () => {
  it(
    'sign every checkpoint of a new workspace, which foreign software verifies, and cannot be taken out',
    () =>
      withHsm(async () => {
        const service = await openTestService({ environment: inToken() });
        try {
          const created = await create(service, 'first');
          const [key, ...more] = await keysOf(service);
          expect(more).toEqual([]);
          const checkpoint = checkpointOf(created);
          if (isInstalled('go')) {
            const [name = '', id = ''] = key?.vkey.split('+') ?? [];
            expect(await verifyByGo(checkpoint, [key?.vkey ?? ''])).toEqual([`${name} ${id}`]);
          }
          expect(await isVerified(service, created)).toBe(true);
          const listed = await hsm.tool('--list-objects', '--type', 'privkey');
          const access = listed.split('\n').filter((line) => line.includes('Access:'));
          expect(access).toHaveLength(1);
          expect(access[0]).toMatch(/ sensitive, always sensitive, never extract/);
          await service.stop();
          // The same key signs after a restart.
          const again = await openTestService({ share: service, environment: inToken() });
          const second = await create(again, 'second');
          expect(checkpointOf(second)).toContain(parseNote(checkpoint).text.split('\n')[0]);
          expect((await keysOf(again)).map(({ vkey }) => vkey)).toEqual([key?.vkey]);
          await again.stop();
        } finally {
          await service.close();
        }
      }),
    3 * MINUTE_MS,
  );

  it(
    'take over from a key in the service by a rotation, and give back by another one',
    () =>
      withHsm(async () => {
        const service = await openTestService();
        try {
          const before = await create(service, 'before');
          await service.stop();
          const outside = await openTestService({ share: service, environment: inToken() });
          // Another process, whose session with the token is older than the key.
          const other = await openTestService({ share: service, environment: inToken() });
          expect((await outside.call('POST', '/api/trust/keys', { body: {} })).status).toBe(201);
          const both = await create(outside, 'both');
          const elsewhere = await create(other, 'elsewhere');
          await other.stop();
          const [old, next] = await keysOf(outside);
          const rotation = [old?.vkey ?? '', next?.vkey ?? ''];
          const signedBy = (reply: Reply) => parseNote(checkpointOf(reply)).signatures.length;
          expect([before, both, elsewhere].map(signedBy)).toEqual([1, 2, 2]);
          if (isInstalled('go')) expect(await verifyByGo(checkpointOf(both), rotation)).toHaveLength(2);
          await outside.call('POST', '/api/trust/keys/retire', { body: { vkey: rotation[0] } });
          const alone = await create(outside, 'alone');
          expect(signedBy(alone)).toBe(1);
          if (isInstalled('go')) expect(await verifyByGo(checkpointOf(alone), [rotation[1] ?? ''])).toHaveLength(1);
          for (const reply of [before, both, alone]) expect(await isVerified(outside, reply)).toBe(true);
          await outside.stop();
          const back = await openTestService({ share: service, environment: tokenSettings() });
          expect((await back.call('POST', '/api/trust/keys', { body: {} })).status).toBe(201);
          await back.call('POST', '/api/trust/keys/retire', { body: { vkey: rotation[1] } });
          const returned = await create(back, 'returned');
          for (const reply of [before, both, alone, returned]) expect(await isVerified(back, reply)).toBe(true);
          const checked = await back.call('POST', '/api/trust/ledger-checks');
          expect(checked.body).toMatchObject({ outcome: 'PASS', findings: [] });
          await back.stop();
        } finally {
          await service.close();
        }
      }),
    3 * MINUTE_MS,
  );

  it(
    'stand beside one of ML-DSA-44 in the service, where the policy asks for both',
    () =>
      withHsm(async () => {
        const service = await openTestService({ environment: inToken() });
        try {
          const { version: _v, updated_at: _u, ...policy } = (await service.call('GET', '/api/trust/policy')).body;
          const changed = { ...policy, log_signatures: 'hybrid', checkpoint_interval_seconds: 1, public_log: true };
          expect((await service.call('PUT', '/api/trust/policy', { body: changed })).status).toBe(200);
          const created = await create(service, 'hybrid');
          const readLengths = async () => {
            const { status, text } = await service.call('GET', `/tlog/${service.workspace}/checkpoint`);
            return status === 200 ? parseNote(text).signatures.map(({ signature }) => signature.length) : [];
          };
          await until('a checkpoint by both keys', async () => (await readLengths()).length === 2);
          expect(await readLengths()).toEqual([64, 2428]);
          const { items } = (await service.call('GET', '/api/trust/keys')).body;
          expect(items.map(({ algorithm }: { algorithm: string }) => algorithm)).toEqual(['ed25519', 'ml-dsa-44']);
          expect(await isVerified(service, created)).toBe(true);
        } finally {
          await service.close();
        }
      }),
    3 * MINUTE_MS,
  );

  it(
    'sign for a log that goes on under another name after a recovery, and the earlier name keeps its key',
    () =>
      withHsm(async () => {
        const service = await openTestService({ environment: inToken() });
        const older = `${new URL(service.databaseUrl).pathname.slice(1)}_older`;
        const olderUrl = new URL(service.databaseUrl);
        olderUrl.pathname = `/${older}`;
        const admin = new URL(service.databaseUrl);
        admin.pathname = '/postgres';
        const query = async (sql: string) => {
          const client = new Client({ connectionString: admin.href });
          await client.connect();
          try {
            await client.query(sql);
          } finally {
            await client.end();
          }
        };
        try {
          const kept = await create(service, 'kept');
          await service.stop();
          await query(`create database ${older} template ${new URL(service.databaseUrl).pathname.slice(1)}`);
          const newer = await openTestService({ share: service, environment: inToken() });
          await create(newer, 'lost');
          const [before] = await keysOf(newer);
          await newer.stop();
          const restored = { databaseUrl: olderUrl.href, dataDir: service.dataDir };
          expect(await refusalOf(restored, inToken())).toContain('ledger-recover');
          const recovered = await runOperatorCommand(['ledger-recover'], {
            dataDir: service.dataDir,
            environment: { DATABASE_URL: olderUrl.href, ...hsm.variables, ...inToken() },
          });
          expect([recovered.code, recovered.stdout]).toEqual([0, expect.stringContaining('the log continues as')]);
          const after = await openTestService({ share: restored, environment: inToken() });
          const more = await create(after, 'more');
          const [key] = await keysOf(after);
          expect(key?.vkey).not.toBe(before?.vkey);
          if (isInstalled('go')) expect(await verifyByGo(checkpointOf(more), [key?.vkey ?? ''])).toHaveLength(1);
          for (const reply of [kept, more]) expect(await isVerified(after, reply)).toBe(true);
          await after.stop();
        } finally {
          await query(`drop database if exists ${older}`);
          await service.close();
        }
      }),
    3 * MINUTE_MS,
  );

  it(
    'that do not sign leave what was recorded without a receipt, and a repeated request gets it: nothing is signed twice',
    () =>
      withHsm(async () => {
        await become(undefined);
        const environment = { ...inToken(), PKCS11_PACKAGE: FAULTY, SERVICE_SIGNING_MS: '3000' };
        const service = await openTestService({ environment });
        try {
          const sound = await create(service, 'sound');
          const path = `/api/answer-audit-logs/${sound.body.id}`;
          const seen = new Map<string, string>();
          for (const what of ['removed', 'wrong', 'crash', 'hang']) {
            await become(what);
            const refused = await create(service, what);
            expect([refused.status, refused.body.code]).toEqual([503, 'receipt_unavailable']);
            expect(refused.text).not.toContain('receipt":');
            expect(refused.text).not.toContain(hsm.pin);
            // The receipt of a record leads to the newest tree, which nobody has signed.
            expect((await service.call('GET', path)).body.code).toBe('receipt_unavailable');
            expect((await service.call('GET', '/api/answer-audit-logs')).status).toBe(200);
            await become(undefined);
            let replayed = await create(service, what);
            // A token that was unavailable is not asked anew within a second.
            while (replayed.status === 503) replayed = await create(service, what);
            expect(replayed.status).toBe(201);
            const note = checkpointOf(replayed);
            const { text } = parseNote(note);
            expect(seen.get(text) ?? note).toBe(note);
            seen.set(text, note);
            expect(await isVerified(service, replayed)).toBe(true);
          }
          const { body } = await service.call('GET', '/api/answer-audit-logs');
          expect(body.total).toBe(5);
          const checked = await service.call('POST', '/api/trust/ledger-checks');
          expect(checked.body).toMatchObject({ outcome: 'PASS', findings: [] });
        } finally {
          await become(undefined);
          await service.close();
        }
      }),
    3 * MINUTE_MS,
  );

  it(
    'are asked for at a start, which is refused in words that say what to change, or warns of the logs that do not sign',
    () =>
      withHsm(async () => {
        const service = await openTestService({ environment: inToken() });
        try {
          await create(service, 'first');
          await service.stop();
          const refusal = (change: Environment) => refusalOf(service, { ...inToken(), ...change });
          expect(await refusal({ PKCS11_PIN: '999999' })).toContain('the PIN is wrong: correct PKCS11_PIN');
          expect(await refusal({ PKCS11_TOKEN: 'absent' })).toContain(
            'there is no token with this label: correct PKCS11_TOKEN, or connect the token',
          );
          expect(await refusal({ PKCS11_MODULE: '/nowhere.so' })).toContain('correct PKCS11_MODULE');
          expect(await refusal({ PKCS11_PACKAGE: '/nowhere' })).toContain('run tools/pkcs11/install.sh');
          await hsm.addToken('empty');
          for (const [environment, why] of [
            [{ ...inToken(), PKCS11_TOKEN: 'empty' }, 'it has no key with the id'],
            [{}, 'set PKCS11_MODULE, PKCS11_TOKEN and PKCS11_PIN_FILE'],
          ] as const) {
            const warned = await openTestService({ share: service, environment });
            const told = warned.reports.filter((line) => line.includes('nothing is signed for the log of "demo"'));
            expect(told.join('\n')).toContain(why);
            const refused = await create(warned, 'unsigned');
            expect([refused.status, refused.body.code]).toEqual([503, 'receipt_unavailable']);
            await warned.stop();
          }
          const doctor = (environment: Environment) =>
            runOperatorCommand(['doctor'], {
              dataDir: service.dataDir,
              environment: { DATABASE_URL: service.databaseUrl, ...hsm.variables, ...environment },
            });
          const sound = await doctor(inToken());
          expect(sound.stdout).toContain(
            'PASS keys.logs: the token "evidence" has the keys of the logs that it signs for',
          );
          const poor = await doctor({ ...inToken(), PKCS11_TOKEN: 'empty' });
          expect([poor.code, poor.stdout]).toEqual([1, expect.stringContaining('FAIL keys.logs: nothing is signed')]);
          const right = await openTestService({ share: service, environment: inToken() });
          expect((await create(right, 'unsigned')).status).toBe(201);
          await right.stop();
        } finally {
          await service.close();
        }
      }),
    3 * MINUTE_MS,
  );
});

describeHere('a master key under a key of an HSM', () => {
  it(
    'takes the place of a key file by keys-rewrap, opens everything at a start, and gives it back',
    () =>
      withHsm(async () => {
        const service = await openTestService();
        try {
          await create(service, 'before');
          await service.stop();
          const operate = (args: readonly string[], environment: Environment = {}) =>
            runOperatorCommand(args, {
              dataDir: service.dataDir,
              environment: { DATABASE_URL: service.databaseUrl, ...hsm.variables, ...environment },
            });
          const wrap = ['master-key-wrap', '--by', 'pkcs11:master key'];
          expect((await operate(wrap)).stderr).toContain('set PKCS11_MODULE, PKCS11_TOKEN and PKCS11_PIN_FILE');
          const { code, stdout } = await operate([...wrap, '--next'], tokenSettings());
          const wrapped = stdout.trim();
          expect([code, wrapped]).toEqual([0, expect.stringMatching(/^pkcs11:master key#[A-Za-z0-9+/]+=*$/)]);
          expect(await hsm.tool('--list-objects', '--type', 'secrkey')).toMatch(
            /master key[^]*Access:\s+sensitive, always sensitive, never extractable, local/,
          );

          const moved = await operate(['keys-rewrap'], {
            ...tokenSettings(),
            SERVICE_NEW_MASTER_KEY_WRAPPED: wrapped,
          });
          expect([moved.code, moved.stdout]).toEqual([0, expect.stringContaining('or as SERVICE_MASTER_KEY_WRAPPED')]);
          const pinFile = join(folder, 'pin');
          await writeFile(pinFile, `${hsm.pin}\n`);
          const { PKCS11_PIN: _pin, ...withoutPin } = tokenSettings();
          const inHsm = { ...withoutPin, PKCS11_PIN_FILE: pinFile, SERVICE_MASTER_KEY_WRAPPED: wrapped };
          const checked = await operate(['ledger-check'], inHsm);
          expect([checked.code, checked.stdout]).toEqual([0, expect.stringContaining('PASS')]);
          expect((await operate(['doctor'], inHsm)).stdout).toContain('PASS key.master: is the key of the database');
          // The same key, wrapped once more: nothing in the database changes.
          const again = await operate(wrap, inHsm);
          expect(again.stdout.trim()).not.toBe(wrapped);
          expect(
            await operate(['ledger-check'], { ...inHsm, SERVICE_MASTER_KEY_WRAPPED: again.stdout.trim() }),
          ).toMatchObject({ code: 0 });
          for (const [change, words] of [
            [{ SERVICE_MASTER_KEY_WRAPPED: wrapped.replace('#', ' 2#') }, 'it has no key "master key 2"'],
            [{ SERVICE_MASTER_KEY_WRAPPED: `${wrapped.slice(0, -8)}AAAAAAA=` }, 'not of this key and purpose'],
            [{ PKCS11_TOKEN: 'absent' }, 'there is no token with this label'],
            [{ PKCS11_MODULE: '' }, 'set PKCS11_MODULE, PKCS11_TOKEN and PKCS11_PIN_FILE'],
          ] as const) {
            const refused = await operate(['ledger-check'], { ...inHsm, ...change });
            expect([refused.code, refused.stderr]).toEqual([2, expect.stringContaining(words)]);
          }

          const back = await operate(['keys-rewrap'], inHsm);
          expect([back.code, back.stdout]).toEqual([0, expect.stringContaining('the new key is in ')]);
          const plain = await openTestService({ share: service });
          const after = await create(plain, 'after');
          expect(await isVerified(plain, after)).toBe(true);
          await plain.stop();
        } finally {
          await service.close();
        }
      }),
    3 * MINUTE_MS,
  );
});

describe('the keys of logs in AWS KMS', () => {
  const inKms: Environment = { SERVICE_LOG_KEYS: 'aws-kms', SERVICE_SIGNING_MS: '2000' };
  const withKms = async (action: (aws: FakeAws) => Promise<void>): Promise<void> => {
    const aws = await openFakeAws({ lifetimeMs: 3_600_000 });
    const variables = {
      AWS_CONFIG_FILE: '/nowhere',
      AWS_SHARED_CREDENTIALS_FILE: '/nowhere',
      AWS_REGION: 'eu-west-1',
      AWS_ENDPOINT_URL_KMS: aws.url,
      AWS_CONTAINER_CREDENTIALS_FULL_URI: `${aws.url}/v2/credentials/task`,
    };
    try {
      await withVariables(variables, () => action(aws));
    } finally {
      await aws.close();
    }
  };

  it(
    'sign what foreign software verifies, and what they do not sign has its receipt later',
    () =>
      withKms(async (aws) => {
        const service = await openTestService({ environment: inKms });
        try {
          const created = await create(service, 'first');
          const [key] = await keysOf(service);
          if (isInstalled('go')) expect(await verifyByGo(checkpointOf(created), [key?.vkey ?? ''])).toHaveLength(1);
          expect(await isVerified(service, created)).toBe(true);
          for (const fault of ['disabled', 'wrong-signature', 'silent'] as const) {
            aws.setKms(fault);
            const refused = await create(service, fault);
            expect([fault, refused.status, refused.body.code]).toEqual([fault, 503, 'receipt_unavailable']);
            aws.setKms(undefined);
            expect(await isVerified(service, await create(service, fault))).toBe(true);
          }
          await service.stop();
          aws.setKms('silent');
          expect(await refusalOf(service, inKms)).toContain('KMS did not respond within 2000 ms');
          aws.setKms(undefined);
          // New keys are made in the service again, and the one in KMS goes on.
          const back = await openTestService({ share: service });
          expect(await isVerified(back, await create(back, 'after'))).toBe(true);
          await back.stop();
        } finally {
          aws.setKms(undefined);
          await service.close();
        }
      }),
    3 * MINUTE_MS,
  );

  it(
    'refuse the first start in words where none can be made',
    () =>
      withKms(async (aws) => {
        aws.setKms('disabled');
        const refused = await openTestService({ environment: inKms }).then(
          () => 'it started',
          (error: unknown) => error,
        );
        expect(refused).toBeInstanceOf(StartError);
        expect((refused as StartError).message).toMatch(
          /^no key was made for the log of "demo": the KMS key arn:\S+: the key is disabled: enable it$/,
        );
      }),
    MINUTE_MS,
  );
});
