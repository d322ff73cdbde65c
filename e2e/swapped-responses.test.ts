import { mkdtemp, readdir, readFile, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, beforeEach, describe, expect, it } from '@jest/globals';
import { type Client, createClient } from '@answer-evidence/client';
import { AnswerEvidence, type EvidenceError, MismatchError } from '../packages/sdk/src/index.ts';
import { runCliCommand, until } from '../tools/scenery/service-process.ts';
import { openTestService, type TestService } from '../tools/scenery/test-service.ts';
import { openMailbox } from './support/mailbox.ts';
import { openSwappingProxy, type SwappingProxy } from './support/swapping-proxy.ts';

const TIMEOUT_MS = 120_000;

let folder: string;
let service: TestService;
let mailbox: Awaited<ReturnType<typeof openMailbox>>;
let proxy: SwappingProxy;
let client: Client;
/** Beside the proxy. */
let direct: Client;
/** Of another manager, beside the proxy. */
let second: Client;
const trust = () => join(folder, 'trust.json');
const records: string[] = [];
const assets: string[] = [];
const runs: string[] = [];
const files: string[] = [];
const targets: string[] = [];
const tested: string[] = [];

const answer = (n: number) => ({ question: { text: 'Was it paid?' }, answer: { text: `answer ${n}` } });
const streams: string[] = [];
const stream = (name: string) => ({
  name,
  destination: { type: 'https' as const, url: 'https://siem.example.com/' },
});
const target = (name: string) => ({ name, url: 'https://hooks.example.com/' });
const body = (n: number) => ({ application_key: 'support-bot', ...answer(n) });
const WINDOW = { window_start: '2026-11-20T00:00:00Z', window_end: '2026-11-20T01:00:00Z' };
const run = (n: number) => ({
  application_key: `bot-${n}`,
  match_on: 'idempotency_key' as const,
  ...WINDOW,
  references: [{ reference_id: `m-${n}`, occurred_at: WINDOW.window_start }],
});

beforeAll(async () => {
  folder = await mkdtemp(join(tmpdir(), 'answer-evidence-swapped-'));
  mailbox = await openMailbox();
  service = await openTestService({
    environment: { SERVICE_SMTP_URL: mailbox.url, SERVICE_SMTP_FROM: 'evidence@example.com' },
  });
  proxy = await openSwappingProxy(service.baseUrl);
  client = createClient({ registry: proxy.url, token: service.managerToken });
  direct = createClient({ registry: service.baseUrl, token: service.managerToken });
  for (const n of [1, 2]) {
    records.push((await client.records.create({ ...body(n), idempotency_key: `msg-${n}` })).record.id);
    assets.push((await client.evidence.register({ application_key: 'support-bot', segments: [`passage ${n}`] })).id);
    runs.push((await client.reconciliations.create(run(n))).id);
    files.push((await client.evidence.upload(fileOf(n), { application_key: 'support-bot' })).id);
    await client.members.add({ username: `member-${n}` });
    streams.push((await client.streams.create(stream(`stream ${n}`))).id);
    targets.push((await client.notifications.create(target(`target ${n}`))).id);
    tested.push((await client.notifications.test(targets[n - 1] ?? '')).notification_id);
    await client.evidence.retrieve(assets[n - 1] ?? '');
  }
  await client.settings.patch({ answer_audit_proof_links_enabled: true });
  second = createClient({ registry: service.baseUrl, token: await signIn('second') });
  await runCliCommand(['trust', 'export', '--out', trust()], service);
  for (const id of runs)
    await until('the run is over', async () => (await client.reconciliations.get(id)).status === 'completed');
}, TIMEOUT_MS);
afterAll(async () => {
  await proxy.close();
  await service.close();
  await mailbox.close();
  await rm(folder, { recursive: true, force: true });
});
beforeEach(() => proxy.rest());

/** Two calls of each operation, the second of which gets the response to the first. */
const CALLS: Readonly<Record<string, (of: Client, n: number) => Promise<unknown>>> = {
  'records.create': (of, n) => of.records.create(body(n)),
  'records.createMany': (of, n) =>
    of.records.createMany([{ ...body(n), idempotency_key: `batch-${n}-${Math.random()}` }]),
  'records.appendEvent': (of, n) =>
    of.records.appendEvent(records[n - 1] ?? '', { event_type: 'correction_appended', ...corrected(n) }),
  'records.get': (of, n) => of.records.get(records[n - 1] ?? ''),
  'records.reveal': (of, n) => of.records.reveal(records[n - 1] ?? '', { reason_code: 'complaint', reason: 'test' }),
  'records.list': (of, n) => of.records.list({ idempotency_key: `msg-${n}` }),
  'records.listAll': (of, n) => takeAll(of.records.listAll({ idempotency_key: `msg-${n}` })),
  'records.export': (of, n) => of.records.export('jsonl', { application_key: n === 1 ? 'support-bot' : 'bot-2' }),
  'records.verify': (of, n) => of.records.verify(records[n - 1] ?? ''),
  'trust.proof': (of, n) => of.trust.proof(records[n - 1] ?? ''),
  'trust.proofWithoutTexts': (of, n) => of.trust.proofWithoutTexts(records[n - 1] ?? ''),
  'trust.revealProof': (of, n) => of.trust.revealProof(records[n - 1] ?? '', { reason_code: 'audit', reason: 'test' }),
  'trust.pack': (of, n) => of.trust.pack({ answer_log_ids: [records[n - 1] ?? ''] }),
  'trust.setPolicy': async (of, n) => {
    const { version, updated_at: _at, ...policy } = await direct.trust.policy();
    return of.trust.setPolicy({ ...policy, public_log: n === 2, version });
  },
  'evidence.register': (of, n) => of.evidence.register({ application_key: 'support-bot', segments: [`more ${n}`] }),
  'evidence.upload': (of, n) => of.evidence.upload(fileOf(n), { application_key: 'support-bot' }),
  'evidence.list': (of, n) => of.evidence.list({ kind: n === 1 ? 'file' : 'media' }),
  'evidence.get': (of, n) => of.evidence.get(assets[n - 1] ?? ''),
  'evidence.retrieve': (of, n) => of.evidence.retrieve(assets[n - 1] ?? ''),
  'evidence.download': async (of, n) => takeAll(await of.evidence.download(files[n - 1] ?? '')),
  'evidence.accesses': (of, n) => of.evidence.accesses(assets[n - 1] ?? ''),
  'reconciliations.create': (of, n) => of.reconciliations.create(run(n)),
  'reconciliations.list': (of, n) => of.reconciliations.list({ application_key: `bot-${n}` }),
  'reconciliations.get': (of, n) => of.reconciliations.get(runs[n - 1] ?? ''),
  'reconciliations.findings': (of, n) => of.reconciliations.findings(runs[n - 1] ?? ''),
  'reconciliations.exportFindings': async (of, n) =>
    takeAll(await of.reconciliations.exportFindings(runs[n - 1] ?? '', 'csv')),
  'reconciliations.triage': (of, n) => of.reconciliations.triage(runs[n - 1] ?? ''),
  'reconciliations.findingTriage': (of, n) => of.reconciliations.findingTriage(runs[n - 1] ?? '', 0),
  'reconciliations.takeStep': (of, n) =>
    of.reconciliations.takeStep(runs[n - 1] ?? '', 0, { action: 'comment', text: `step ${n}` }),
  'reconciliations.proof': (of, n) => of.reconciliations.proof(runs[n - 1] ?? ''),
  'reconciliations.records': async (of, n) => takeAll(await of.reconciliations.records(runs[n - 1] ?? '')),
  'settings.patch': async (of, n) =>
    of.settings.patch({ answer_audit_default_retention_days: 100 + n + 10 * Math.ceil(Math.random() * 90) }),
  'approvals.request': async (of, n) => of.approvals.request(await voidOf(n)),
  'approvals.list': (of, n) => of.approvals.list({ state: n === 1 ? 'open' : 'withdrawn' }),
  'approvals.get': async (of, n) => of.approvals.get(await askedBy(second, n)),
  'approvals.approve': async (of, n) => of.approvals.approve(await askedBy(second, n)),
  'approvals.decline': async (of, n) => of.approvals.decline(await askedBy(second, n)),
  'approvals.withdraw': async (of, n) => of.approvals.withdraw(await askedBy(direct, n)),
  'holds.place': (of, n) =>
    of.holds.place({ matter: `matter ${n}`, reason: 'test', filters: { application_key: `nobody-${n}` } }),
  'holds.get': async (of, n) => of.holds.get((await holdsOf(2))[n - 1] ?? ''),
  'holds.release': async (of, n) => of.holds.release((await holdsOf(2))[n - 1] ?? '', { reason: `over ${n}` }),
  'entries.list': (of, n) => of.entries.list({ type: n === 1 ? 'token_issued' : 'settings_changed' }),
  'entries.readings': (of, n) => of.entries.readings({ answer_log_id: records[n - 1] ?? '' }),
  'entries.get': async (of, n) => of.entries.get((await direct.entries.list()).items[n]?.id ?? ''),
  'tokens.create': (of, n) => of.tokens.create({ kind: 'user', name: `token ${n} ${Math.random()}` }),
  'members.get': async (of, n) => of.members.get((await ofMembers())[n - 1] ?? ''),
  'members.add': (of, n) => of.members.add({ username: `m${n}-${Math.random().toString(36).slice(2)}` }),
  'members.change': async (of, n) => of.members.change((await ofMembers())[n - 1] ?? '', { disabled: n === 1 }),
  'search.texts': (of, n) =>
    of.search.texts({ answer_log_ids: [records[n - 1] ?? ''], reason_code: 'audit', reason: 'test' }),
  'search.saveView': (of, n) => of.search.saveView({ name: `view ${n} ${Math.random()}`, filters: {} }),
  'proofLinks.create': (of, n) => of.proofLinks.create(records[n - 1] ?? ''),
  'proofLinks.list': (of, n) => of.proofLinks.list(records[n - 1] ?? ''),
  'streams.create': (of, n) => of.streams.create(stream(`made ${n} ${Math.random()}`)),
  'streams.get': (of, n) => of.streams.get(streams[n - 1] ?? ''),
  'streams.change': (of, n) => of.streams.change(streams[n - 1] ?? '', { state: 'disabled' }),
  'notifications.create': (of, n) => of.notifications.create(target(`made ${n} ${Math.random()}`)),
  'notifications.createMail': (of, n) => of.notifications.createMail(mailTo(n)),
  'notifications.confirm': async (of, n) => {
    const mail = mailTo(n);
    const { id } = await direct.notifications.createMail(mail);
    const { text } = await mailbox.waitFor(({ to }) => to === mail.address);
    return of.notifications.confirm(id, /^[0-9a-f]{24}$/m.exec(text)?.[0] ?? '');
  },
  'notifications.setOwn': (of, n) =>
    of.notifications.setOwn({ address: 'own@example.com', digest: n === 1 ? 'hourly' : 'at_once' }),
  'notifications.get': (of, n) => of.notifications.get(targets[n - 1] ?? ''),
  'notifications.change': (of, n) => of.notifications.change(targets[n - 1] ?? '', { state: 'disabled' }),
  'notifications.rotate': (of, n) => of.notifications.rotate(targets[n - 1] ?? ''),
  'notifications.replay': (of, n) => of.notifications.replay(targets[n - 1] ?? '', tested[n - 1] ?? ''),
  'otel.trace': (of, n) => of.otel.trace(String(n).padStart(32, 'a')),
};

/** What is not compared, and why. A new operation has to be in one of the two tables. */
const NOT_COMPARED: Readonly<Record<string, string>> = {
  'trust.keys': 'asks for nothing in particular; verifiers go by a trust file',
  'trust.addKey': 'sends nothing that a response could repeat',
  'trust.retireKey': 'the list of keys that is left is what was asked for; it names its keys itself',
  'trust.policy': 'asks for nothing in particular',
  'trust.witnesses': 'asks for nothing in particular',
  'trust.checkpoints': 'each is signed, and names its log',
  'trust.anchors': 'asks for nothing in particular',
  'trust.runAnchors': 'sends nothing that a response could repeat',
  'trust.testAnchor': 'has a response that repeats nothing of what was sent',
  'trust.testWitness': 'has a response that repeats nothing of what was sent',
  'reconciliations.assignees': 'asks for nothing in particular',
  'settings.forecast': 'asks for nothing in particular',
  'trust.checkLedger': 'asks for nothing in particular',
  'settings.get': 'asks for nothing in particular',
  'hashKeys.list': 'asks for nothing in particular',
  'hashKeys.create': 'sends nothing that a response could repeat',
  'hashKeys.hashId': 'only the service can compute what it responds',
  'tokens.list': 'the status that is asked for depends on the time of the service',
  'tokens.rotate': 'the new token has an id of its own',
  'tokens.revoke': 'has no response',
  'members.list': 'asks for nothing in particular',
  'members.remove': 'has no response',
  'auth.login': 'compared in libs/client: behind a proxy here it would sign somebody in',
  'auth.beginDevice': 'only the service knows the code',
  'auth.redeemDevice': 'only the service knows whose code it is',
  'auth.logout': 'has no response',
  'auth.setPassword': 'only the service knows whose link it is',
  'deadLetters.list': 'asks for nothing in particular',
  'deadLetters.replay': 'compared in libs/client: nothing was given up here',
  'overview.get': 'is counts and sentences for people; nothing is decided by it',
  'search.records': 'finds by what a text may mean; a record is read by its id before anything is said of it',
  'search.openSession': 'has an id that only the server makes; another one opens no search',
  'search.words': 'asks for nothing in particular',
  'search.values': 'asks for nothing in particular',
  'search.marked': 'lists what a person looks through; a record is read by its id before anything is said of it',
  'search.answered': 'is counts for people; nothing is decided by it',
  'search.views': 'asks for nothing in particular',
  'search.removeView': 'has no response',
  'proofLinks.revoke': 'has no response',
  'streams.list': 'asks for nothing in particular',
  'streams.remove': 'has no response',
  'streams.test': 'says whether an event was confirmed, and nothing of a stream',
  'holds.list': 'a hold that was released meanwhile is no other response',
  'holds.ofRecord': 'a hold does not say which records it covers, of which there may be a million',
  'holds.records': 'the same',
  'notifications.list': 'asks for nothing in particular',
  'notifications.remove': 'has no response',
  'notifications.own': 'asks for nothing in particular',
  'notifications.confirmOwn': 'is about the caller, who has one address',
  'notifications.removeOwn': 'has no response',
  'notifications.test': 'the new notification has an id of its own',
  'notifications.deliveries': 'each delivery has an id of its own, by which it is replayed',
  'otel.unattached': 'compared in libs/client: nothing is unattached here',
  'otel.ignored': 'compared in libs/client: nothing was ignored here',
  'otel.explain': 'is about what was sent alone, and changes nothing',
  'otel.explainRules': 'is about what was sent alone, and changes nothing',
  whoami: 'asks for nothing in particular',
  describeHost: 'is public, and asks for nothing in particular',
};

function listOperations(of: object): readonly string[] {
  return Object.entries(of).flatMap(([name, value]: [string, unknown]) =>
    typeof value === 'function' ? [name] : Object.keys(Object(value)).map((inner) => `${name}.${inner}`),
  );
}

async function takeAll(items: AsyncIterable<unknown>): Promise<void> {
  for await (const _ of items);
}

/** A new mail target. */
function mailTo(n: number) {
  const address = `m-${n}-${crypto.randomUUID()}@example.com`;
  return { name: address, address };
}

/** A manager who is there from now on; their token. */
async function signIn(username: string): Promise<string> {
  const { password_link: link } = await direct.members.add({ username, role: 'manager' });
  const [password, secret] = ['a password of the tests', link?.secret];
  await service.call('POST', '/api/auth/password', { token: null, body: { secret, password } });
  return (await service.call('POST', '/api/auth/login', { token: null, body: { username, password } })).body.token;
}

/** What asks for the void of a new record. */
async function voidOf(n: number) {
  const { record } = await direct.records.create(body(n));
  return {
    reason: `why ${n}`,
    event: { answer_log_id: record.id, event_type: 'voided' as const, reason: `wrong ${n}` },
  };
}

/** The id of a new request of a manager. */
async function askedBy(manager: Client, n: number): Promise<string> {
  return (await manager.approvals.request(await voidOf(n))).id;
}

/** The ids of new holds. */
async function holdsOf(count: number): Promise<readonly string[]> {
  const ids = [];
  for (let n = 1; n <= count; n++)
    ids.push((await direct.holds.place({ matter: `matter ${n}`, reason: 'test', filters: { mode: 'none' } })).id);
  return ids;
}

async function ofMembers(): Promise<readonly string[]> {
  return (await direct.members.list()).items.map(({ id }) => id);
}

function corrected(n: number) {
  return { payload: { corrected_answer_text: `better ${n}` } };
}

function fileOf(n: number) {
  return {
    name: `${n}.txt`,
    async *open() {
      yield await Promise.resolve(new TextEncoder().encode(`file ${n}`));
    },
  };
}

it('each operation of the client is compared, or it is said why not', () => {
  expect([...Object.keys(CALLS), ...Object.keys(NOT_COMPARED)].toSorted()).toEqual(listOperations(client).toSorted());
});

describe('behind a proxy that mixes up responses', () => {
  it.each(Object.keys(CALLS))(
    'the client refuses the response to another call: %s',
    async (name) => {
      const call = CALLS[name];
      proxy.swap();
      await call?.(client, 1);
      await expect(call?.(client, 2)).rejects.toMatchObject({ name: 'MismatchError', code: 'response_mismatch' });
      proxy.rest();
      await call?.(client, 2);
    },
    TIMEOUT_MS,
  );

  it(
    'the client refuses another page of a list, and the response to the same retrieval before',
    async () => {
      const lists = [
        (page: number) => client.records.list({}, { page, size: 1 }),
        (page: number) => client.evidence.list({}, { page, size: 1 }),
        (page: number) => client.entries.list({}, { page, size: 1 }),
        (page: number) => client.tokens.list({}, { page, size: 1 }),
        (page: number) => client.members.list({ page, size: 1 }),
        (page: number) => client.trust.checkpoints({ page, size: 1 }),
      ];
      for (const list of lists) {
        proxy.swap();
        await list(1);
        await expect(list(2)).rejects.toMatchObject({ name: 'MismatchError', fields: ['/page'] });
      }
      proxy.swap();
      await expect(takeAll(client.records.listAll({}, 1))).rejects.toMatchObject({
        name: 'MismatchError',
        fields: ['/items/0/ledger/leaf_index'],
      });
      for (const access of [
        () => client.evidence.retrieve(assets[0] ?? ''),
        async () => takeAll(await client.evidence.download(files[0] ?? '')),
      ]) {
        proxy.swap();
        await access();
        await expect(access()).rejects.toMatchObject({ name: 'MismatchError' });
      }
    },
    TIMEOUT_MS,
  );

  it.each(['open', 'closed'] as const)(
    'the SDK resolves no answer with the record of another, with trust, where it fails %s, and keeps what was signed',
    async (fail) => {
      const errors: EvidenceError[] = [];
      const checkpoints = join(folder, `checkpoints-${fail}`);
      const options = {
        application: 'support-bot',
        url: proxy.url,
        token: service.managerToken,
        fail,
        trust: trust(),
        checkpoints,
      };
      const evidence = new AnswerEvidence({ ...options, onError: (error) => errors.push(error) });
      const record = async (text: string) =>
        (await evidence.record({ question: 'Was it paid?', answer: text })).recorded;
      proxy.swap();
      const first = await record('No.');
      const error: unknown = await record('Yes, entirely.').catch((reason: unknown) => reason);
      expect(error).toBeInstanceOf(MismatchError);
      const signed = { receipt: first.receipt, entry: first.ledger.entry };
      expect(error).toMatchObject({
        code: 'response_mismatch',
        fields: ['/idempotency_key', '/answer/hash', '/answer/text'],
        ...signed,
        given: expect.stringContaining(first.ledger.origin),
      });
      expect(errors).toEqual(fail === 'open' ? [error] : []);
      const [kept = ''] = (await readdir(checkpoints)).filter((name) => name.startsWith('mismatch-'));
      const text = await readFile(join(checkpoints, kept), 'utf8');
      expect(JSON.parse(text)).toMatchObject({ format: 'answer-evidence-mismatch/v1', ...signed });
      expect(text).not.toContain('entirely');
      await evidence.close(0);
    },
    TIMEOUT_MS,
  );
});

describe('the command line behind a proxy that mixes up responses', () => {
  const at = (name: string) => join(folder, name);
  const cli = (...args: readonly string[]) =>
    runCliCommand([...args, '--registry', proxy.url, '--output', 'json'], service);
  const create = (text: string, ...more: readonly string[]) => {
    const texts = ['--question-text', 'Was it paid?', '--answer-text', text];
    return cli('records', 'create', '--application', 'support-bot', ...texts, ...more);
  };

  const COMMANDS: Readonly<Record<string, (n: number) => ReturnType<typeof cli>>> = {
    'records create': (n) => create(`answer ${n}`),
    'records get': (n) => cli('records', 'get', records[n - 1] ?? ''),
    'records event': (n) => cli('records', 'event', records[n - 1] ?? '', '--type', 'retention_extended'),
    'records import': async (n) => {
      await writeFile(at(`${n}.jsonl`), JSON.stringify(body(n + 100)));
      return cli('records', 'import', at(`${n}.jsonl`));
    },
    'records pack': (n) => cli('records', 'pack', records[n - 1] ?? '', '--out', at(`${n}.html`)),
    'evidence retrieve': (n) => cli('evidence', 'retrieve', assets[n - 1] ?? ''),
    'evidence get': (n) => cli('evidence', 'get', assets[n - 1] ?? ''),
    'reconcile show': (n) => cli('reconcile', 'show', runs[n - 1] ?? ''),
  };

  it.each(Object.keys(COMMANDS))(
    '%s ends with 1 and says why, and prints nothing of the other response',
    async (name) => {
      proxy.swap();
      expect((await COMMANDS[name]?.(1))?.code).toBe(0);
      const { code, stdout, stderr } = (await COMMANDS[name]?.(2)) ?? {};
      expect({ code, stdout }).toEqual({ code: 1, stdout: '' });
      expect(stderr).toContain('error: the response is not about what was sent: /');
    },
    TIMEOUT_MS,
  );

  it(
    'keeps what was signed beside the receipt that was asked for',
    async () => {
      proxy.swap();
      const [first, second] = [at('1.tlog-proof'), at('2.tlog-proof')];
      await create('No.', '--receipt-out', first);
      expect((await create('Yes.', '--receipt-out', second)).code).toBe(1);
      const kept = JSON.parse(await readFile(`${second}.mismatch.json`, 'utf8'));
      expect(kept.receipt).toBe(await readFile(first, 'utf8'));
      await expect(readFile(second)).rejects.toThrow('ENOENT');
    },
    TIMEOUT_MS,
  );
});
