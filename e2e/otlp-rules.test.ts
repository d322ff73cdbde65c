import { mkdtemp, readFile, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, expect, it } from '@jest/globals';
import { runCliCommand, until } from '../tools/scenery/service-process.ts';
import { openTestService } from '../tools/scenery/test-service.ts';

const DEADLINE_MS = 180_000;
const OTEL = '/api/answer-audit-logs/otel';

// What has no answer is held for so long.
const service = await openTestService({ environment: { SERVICE_OTLP_TRACE_WAIT_SECONDS: '3' } });
const folder = await mkdtemp(join(tmpdir(), 'otlp-rules-'));
afterAll(async () => {
  await service.close();
  await rm(folder, { recursive: true });
});

const attribute = (key: string, stringValue: string) => ({ key, value: { stringValue } });

/** What a framework of nobody sends of one run: a step that drafts, and the run, whose state has what was told. */
function runOf(n: number, told: string | null, more: Readonly<Record<string, string>> = {}) {
  const traceId = n.toString(16).padStart(32, '0');
  const spanOf = (id: string, parent: string | undefined, attributes: Readonly<Record<string, string>>) => ({
    traceId,
    spanId: id.repeat(16),
    ...(parent !== undefined && { parentSpanId: parent.repeat(16) }),
    name: 'loom.run',
    attributes: Object.entries(attributes).map(([key, value]) => attribute(key, value)),
  });
  const state = { thread: [{ draft: 'SECRET draft' }], ...(told !== null && { spoken: [{ words: told }] }) };
  const drafting = {
    'gen_ai.operation.name': 'chat',
    'gen_ai.prompt.0.role': 'user',
    'gen_ai.prompt.0.content': 'SECRET prompt',
    'gen_ai.completion.0.role': 'assistant',
    'gen_ai.completion.0.content': 'SECRET draft',
  };
  const spans = [
    spanOf('b', 'a', drafting),
    spanOf('a', undefined, {
      'loom.weft': JSON.stringify({ warp: { whatTheySaid: `Question ${n}?` } }),
      'loom.cloth': JSON.stringify(state),
      ...more,
    }),
  ];
  const resource = { attributes: [attribute('service.name', 'loom-bot')] };
  return { traceId, body: { resourceSpans: [{ resource, scopeSpans: [{ scope: { name: 'loom' }, spans }] }] } };
}

async function run(...args: readonly string[]) {
  const { stdout } = await runCliCommand(['--output', 'json', ...args], service);
  return JSON.parse(stdout);
}

async function send(n: number, told: string | null, more: Readonly<Record<string, string>> = {}) {
  const { body } = runOf(n, told, more);
  return await service.call('POST', OTEL, { body });
}

it(
  'records a framework that nobody knows by settings alone, while the service runs',
  async () => {
    const request = join(folder, 'request.json');
    const rules = join(folder, 'rules.json');
    await writeFile(request, JSON.stringify(runOf(1, 'Answer 1.').body));
    const places: { number: number; attribute: string; path?: string }[] = await run(
      'otel',
      'explain',
      request,
      '--suggest',
    );
    const numberOf = (path: string) => String(places.find((place) => place.path === path)?.number);
    const picks = ['--question', numberOf('/warp/whatTheySaid'), '--answer', numberOf('/spoken/-/words')];
    await runCliCommand(['otel', 'explain', request, '--suggest', ...picks, '--write', rules], service);
    expect(JSON.parse(await readFile(rules, 'utf8'))).toEqual([
      expect.objectContaining({
        application_key: 'loom-bot',
        question: [{ attribute: 'loom.weft', path: '/warp/whatTheySaid' }],
        answer: [{ attribute: 'loom.cloth', path: '/spoken/-/words' }],
      }),
    ]);
    const explained = await run('otel', 'explain', request, '--rules', rules);
    expect(explained.items.map(({ outcome }: { outcome: string }) => outcome)).toEqual(['part', 'answer']);
    expect(explained.items[1].read).toEqual(expect.arrayContaining(['loom.weft', 'loom.cloth']));
    await run('settings', 'set', `otlp_rules=@${rules}`);

    expect(await send(1, 'Answer 1.')).toMatchObject({ status: 200, text: '{}' });
    // So large that another thread reads it.
    expect(await send(2, 'Answer 2.', { 'loom.lint': 'x'.repeat(100_000) })).toMatchObject({ status: 200, text: '{}' });
    expect((await send(3, null)).status).toBe(200);
    await until('two records', async () => (await run('records', 'list')).total === 2);
    const { items } = await run('records', 'list');
    const records = await Promise.all(items.map(({ id }: { id: string }) => run('records', 'get', id)));
    expect(records.map(({ question, answer }) => [question.text, answer.text]).toSorted()).toEqual([
      ['Question 1?', 'Answer 1.'],
      ['Question 2?', 'Answer 2.'],
    ]);
    expect(JSON.stringify(records)).not.toContain('SECRET');
    await until('the line of what has no answer', async () => {
      const { items: lines } = await run('otel', 'ignored', '--reason', 'unread_state');
      return lines.some(({ detail }: { detail: string | null }) => detail?.includes('loom.cloth at /spoken/-/words'));
    });
    const fates = await run('otel', 'trace', runOf(3, null).traceId);
    expect(JSON.stringify(fates)).toContain('unread_state');

    // It is an entry of the log, and what is in force can be read and taken back.
    const entries = await service.call('GET', '/api/tenant/settings');
    expect(entries.body.answer_audit_otlp_rules[0].answer).toEqual([
      { attribute: 'loom.cloth', path: '/spoken/-/words' },
    ]);
    await run('settings', 'set', 'otlp_rules=[]');
    // As it is read without rules: the call of the model is all that is known of it.
    await send(4, 'Answer 4.');
    await until('the record by conventions', async () => (await run('records', 'list')).total === 3);
  },
  DEADLINE_MS,
);
