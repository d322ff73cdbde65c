import { readFile } from 'node:fs/promises';
import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { EXAMPLES, isResolvable, RECORDED_REPLIES, resolveReferences } from '@answer-evidence/contracts';
import { type Node, readOperations, resolve } from '../tools/api/examples/described-api.ts';
import { createPrintedRequests } from '../tools/api/examples/form-printed.ts';
import { type RunExample, runExamples, shownOf } from '../tools/api/examples/run-examples.ts';
import { mapTexts, maskVolatile, StandIns } from '../tools/api/examples/stand-ins.ts';
import { openTestService, type TestService } from '../tools/scenery/test-service.ts';

let service: TestService;
let document: Node;
let runs: readonly RunExample[];

beforeAll(async () => {
  service = await openTestService();
  document = (await service.call('GET', '/api/openapi.json', { token: null })).body;
  runs = await runExamples(service);
}, 60_000);
afterAll(() => service.close());

const names = EXAMPLES.map(({ name }) => name);

function runOf(name: string): RunExample {
  const run = runs.find(({ example }) => example.name === name);
  if (run === undefined) throw new Error(`${name} was not run`);
  return run;
}

/** When a token was last used is written down by and by; a workspace beside others has no address of its own. */
// `others`: what the process that is asked has heard of the trace, which on the split form may be another one.
const UNSTEADY = /"(last_used_at|base_url|others)":(null|"[^"]*")/g;

/**
 * What depends on when background work ran: what needs somebody, and how far the counts are. Their shapes alone are
 * compared.
 */
const UNSTEADY_REPLIES: ReadonlySet<string> = new Set(['overview']);

function compared(value: unknown): unknown {
  return JSON.parse(JSON.stringify(maskVolatile(value)).replace(UNSTEADY, '"$1":"…"'));
}

describe('the examples', () => {
  it('are at least one of every operation', () => {
    const exemplified = new Set(EXAMPLES.map(({ operationId }) => operationId));
    const operations = readOperations(document).map(({ operationId }) => operationId);
    expect(operations.filter((operationId) => !exemplified.has(operationId))).toEqual([]);
    expect(new Set(names).size).toBe(names.length);
  });

  it.each(names)('%s is answered as it says, in the described shape', (name) => {
    const { example, operation, reply } = runOf(name);
    expect([reply.status, reply.text.slice(0, reply.status === example.status ? 0 : 1000)]).toEqual([
      example.status,
      '',
    ]);
    const type = reply.headers.get('content-type')?.split(';')[0];
    expect(operation.findFault(reply.status, type, reply.body)).toBeUndefined();
  });

  it.each(names)('%s shows what a service answers (else: npm run api:examples)', (name) => {
    const shown = shownOf(runOf(name));
    expect(name in RECORDED_REPLIES).toBe(shown !== undefined);
    if (shown === undefined) return;
    if (UNSTEADY_REPLIES.has(name)) {
      const { operation, reply } = runOf(name);
      const type = reply.headers.get('content-type')?.split(';')[0];
      expect(operation.findFault(reply.status, type, RECORDED_REPLIES[name])).toBeUndefined();
      return;
    }
    const named = mapTexts(shown, (text) => text.replaceAll(service.workspace, 'demo'));
    expect(compared(RECORDED_REPLIES[name])).toEqual(compared(named));
  });

  it('stand in the description, with the request and the reply', () => {
    const create = document['paths']['/api/answer-audit-logs'].post;
    const { value } = create.requestBody.content['application/json'].examples.recordedAnswer;
    expect(value).toMatchObject({ application_key: 'support-bot' });
    const reply = create.responses[201].content['application/json'].examples.recordedAnswer.value;
    expect(reply).toEqual(RECORDED_REPLIES['recordedAnswer']);
    const [parameter] = document['paths']['/api/answer-audit-logs/{answer_log_id}'].get.parameters as Node[];
    expect(resolve(document, parameter ?? {})['examples'].withHistory.value).toBe(reply.id);
  });

  it('hold no secret of the service that they were recorded on, nor of this one', () => {
    const text = JSON.stringify(document);
    expect(text).not.toContain(service.managerToken);
    const standIns = new StandIns();
    const secret = runOf('applicationToken').reply.body.token as string;
    const replaced = JSON.stringify(standIns.replace('test', { token: secret, manager: service.managerToken }));
    // A secret may hold an underscore of its own.
    const [, id = '', managerSecret = ''] = /^aeu_([^_]+)_(.+)$/.exec(service.managerToken) ?? [];
    expect(managerSecret.length).toBeGreaterThan(20);
    for (const part of [...secret.split('.'), id, managerSecret]) expect(replaced).not.toContain(part);
  });
});

describe('the examples as they are printed', () => {
  it('are answered as they say by a fresh workspace, sent in their order', async () => {
    const fresh = await openTestService();
    try {
      const printed = await runExamples(fresh, createPrintedRequests(document));
      const statuses = (list: readonly (readonly [string, number])[]) => Object.fromEntries(list);
      expect(statuses(printed.map(({ example, reply }) => [example.name, reply.status]))).toEqual(
        statuses(EXAMPLES.map(({ name, status }) => [name, status])),
      );
    } finally {
      await fresh.close();
    }
  }, 60_000);

  it('have no idempotency key that a request of the README has for something else', async () => {
    const readme = await readFile(new URL('../README.md', import.meta.url), 'utf8');
    const requests = [...readme.matchAll(/ -d '([^']+)'/g)].map(([, body = '']) => JSON.parse(body) as Node);
    expect(requests.length).toBeGreaterThan(0);
    const keys = EXAMPLES.map(({ body }) => (body as Node | undefined)?.['idempotency_key']);
    for (const { idempotency_key: key } of requests) expect(keys).not.toContain(key);
  });
});

describe('what is another at every run', () => {
  it.each([
    ['a digest in base64', 'PlNjiNmHAmB1HKWA2+Lvh+dBYet+ewwtyKHcZPNVeGU='],
    ['a digest in base64 that happens to be without a digit', 'PlNjiNmHAmBxHKWAe+Lvh+dBYet+ewwtyKHcZPNVeGU='],
    ['a digest in base64url', 'PlNjiNmHAmBxHKWAe-Lvh_dBYet-ewwtyKHcZPNVeGU'],
    ['a digest in hexadecimal', 'a0'.repeat(32)],
    ['a code that people type', 'WDJB-MJHT'],
    ['an id', '01a203a3-ee9a-7b29-b01b-bf3b7923a2c5'],
  ])('is not compared, as %s', (_, text) => {
    expect(maskVolatile({ receipt: `index 7\n${text}\nend` })).toEqual({ receipt: 'index 0\n…\nend' });
  });

  it('is nothing that a reply says in words', () => {
    const said = { code: 'object_store_unavailable', name: 'registeredBesideAnswerOfTheFirstUser' };
    expect(maskVolatile(said)).toEqual(said);
  });
});

describe('references between examples', () => {
  it('lead to what a reply holds, and never silently nowhere', () => {
    const replies = { made: { id: 'a', items: [{ id: 'b' }] } };
    const value = { params: { id: '@made#/id' }, list: ['@made#/items/0/id', 'x@made#/id', '@made'] };
    expect(resolveReferences(value, replies)).toEqual({ params: { id: 'a' }, list: ['b', 'x@made#/id', '@made'] });
    expect(() => resolveReferences('@made#/other', replies)).toThrow('leads nowhere');
    expect(() => resolveReferences('@other#/id', replies)).toThrow('leads nowhere');
    expect(isResolvable(value, replies)).toBe(true);
    // The description of a service leaves such an example out until it is recorded.
    expect(isResolvable({ params: { id: ['@other#/id'] } }, replies)).toBe(false);
  });
});
