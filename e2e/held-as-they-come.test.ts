import { writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { answerSpan, OTEL, traces } from '../tools/scenery/otlp.ts';
import { runCliCommand, until } from '../tools/scenery/service-process.ts';
import { answer, openTestService, type TestService } from '../tools/scenery/test-service.ts';

const RECORDS = '/api/answer-audit-logs';
const APPLICATION = 'support-bot';

let service: TestService;
let holdId: string;
let pastHoldId: string;

beforeAll(async () => {
  service = await openTestService({ environment: { SERVICE_OTLP_WAIT_SECONDS: '1' } });
  const place = async (matter: string, filters: object) =>
    (await service.call('POST', '/api/holds', { body: { matter, reason: 'A claim was announced', filters } })).body.id;
  holdId = await place('Case 7', { application_key: APPLICATION });
  pastHoldId = await place('Case of 2024', {
    created_after: '2024-01-01T00:00:00Z',
    created_before: '2025-01-01T00:00:00Z',
  });
}, 60_000);
afterAll(() => service.close());

async function cli(...args: readonly string[]): Promise<void> {
  const { code, stderr } = await runCliCommand(args, service);
  expect([code, code === 0 ? '' : stderr]).toEqual([0, '']);
}

async function importAnswers(key: string): Promise<void> {
  const file = join(service.dataDir, 'history.jsonl');
  const line = answer('an old question', 'an old answer', { application_key: APPLICATION, idempotency_key: key });
  await writeFile(file, `${JSON.stringify({ ...line, answered_at: '2024-05-02T09:30:00Z' })}\n`);
  await cli('records', 'import', file);
}

async function createByCli(key: string): Promise<void> {
  const texts = ['--question-text', 'How long?', '--answer-text', 'Two weeks.'];
  await cli('records', 'create', '--application', APPLICATION, '--idempotency-key', key, ...texts);
}

async function createByOtlp(key: string): Promise<void> {
  const body = { kind: 'application', application_key: APPLICATION, name: 'tells', scopes: ['answer_audit:create'] };
  const { token } = (await service.call('POST', '/api/tokens', { body })).body;
  const sent = await service.call('POST', `${OTEL}/v1/traces`, { token, body: traces([answerSpan(1, key)]) });
  expect([sent.status, sent.body]).toEqual([200, {}]);
}

async function createByBatch(key: string): Promise<void> {
  const record = answer('one of many', 'an answer', { application_key: APPLICATION, idempotency_key: key });
  const made = await service.call('POST', `${RECORDS}/batch`, { body: { records: [record] } });
  expect(made.body.results).toMatchObject([{ outcome: 'created' }]);
}

async function findByKey(key: string): Promise<string | undefined> {
  return (await service.call('GET', `${RECORDS}?idempotency_key=${key}`)).body.items[0]?.id;
}

const heldBy = async (id: string) => (await service.call('GET', `/api/holds/${id}/records`)).body.items;

describe('a record that comes after a hold whose filters match it is held', () => {
  it.each([
    ['an import of older answers', 'imported', importAnswers],
    ['the command line', 'by-cli', createByCli],
    ['OTLP', 'by-otlp', createByOtlp],
    ['a request with many', 'by-batch', createByBatch],
  ])(
    'by %s',
    async (_, key, create) => {
      await create(key);
      await until(`the record ${key}`, async () => (await findByKey(key)) !== undefined);
      const id = (await findByKey(key)) ?? '';
      expect((await heldBy(holdId)).map((one: { id: string }) => one.id)).toContain(id);
      const of = await service.call('GET', `/api/holds/of-record/${id}`);
      expect(of.body.items.map((one: { id: string }) => one.id)).toEqual([holdId]);
      const body = { event_type: 'redacted', reason: 'personal data' };
      const redacted = await service.call('POST', `${RECORDS}/${id}/events`, { body });
      expect([redacted.status, redacted.body.code]).toEqual([409, 'record_on_hold']);
      expect(redacted.body.detail).toContain('“Case 7”');
      expect((await service.call('GET', `${RECORDS}/${id}`)).body.answer.text_state).toBe('stored');
    },
    60_000,
  );

  it('by when it was recorded, whatever time an import claims', async () => {
    await importAnswers('claimed');
    const id = await findByKey('claimed');
    expect((await heldBy(holdId)).map((one: { id: string }) => one.id)).toContain(id);
    expect(await heldBy(pastHoldId)).toEqual([]);
  }, 60_000);
});
