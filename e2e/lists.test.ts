import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { answer, openTestService, type TestService } from '../tools/scenery/test-service.ts';
import { createMany } from './support/rich-workspace.ts';

const RECORDS = '/api/answer-audit-logs';
const COUNT = 120;

type Item = Record<string, any>;

/** What the nth record is found by; every filter halves or thirds them differently. */
const fieldsOf = (n: number) => ({
  application_key: `app-${n % 2}`,
  environment: `env-${n % 3}`,
  external_trace_id: `trace-${n % 5}`,
  external_message_id: `message-${n}`,
  idempotency_key: `key-${n}`,
  mode: `mode-${n % 4}`,
  actor_id_hash: `actor-${n % 6}`,
  session_id_hash: `session-${n % 7}`,
});

let service: TestService;
/** All records as they are, oldest first. */
let all: readonly Item[];
beforeAll(async () => {
  service = await openTestService();
  const replies = await createMany(service, COUNT, (n) => answer(`question ${n}`, 'an answer', fieldsOf(n)));
  for (const [n, type] of ['voided', 'correction_appended', 'redacted'].entries()) {
    const body = {
      event_type: type,
      ...(type === 'correction_appended' ? { payload: { corrected_answer_text: 'x' } } : {}),
    };
    await service.call('POST', `${RECORDS}/${replies[n]?.body.id}/events`, { body });
  }
  const read = await Promise.all(replies.map(({ body }) => service.call('GET', `${RECORDS}/${body.id}`)));
  all = read.map(({ body }) => body).sort((a, b) => a.ledger.leaf_index - b.ledger.leaf_index);
}, 60_000);
afterAll(() => service.close());

const ids = (items: readonly Item[]) => items.map(({ id }) => id);
const newestFirst = (keep: (item: Item) => boolean) => ids(all.filter(keep).toReversed());

async function list(query: Record<string, string | number>): Promise<Item> {
  const search = new URLSearchParams(Object.entries(query).map(([name, value]) => [name, String(value)]));
  const reply = await service.call('GET', `${RECORDS}?${search}`);
  if (reply.status !== 200) throw new Error(reply.text);
  return reply.body;
}

async function walk(query: Record<string, string | number>): Promise<{ ids: string[]; pages: Item[] }> {
  const pages = [await list(query)];
  for (let cursor = pages[0]?.next_cursor; cursor !== null; cursor = pages.at(-1)?.next_cursor)
    pages.push(await list({ ...query, cursor }));
  return { ids: pages.flatMap(({ items }) => ids(items)), pages };
}

describe('a list', () => {
  it.each([
    'application_key',
    'environment',
    'external_trace_id',
    'external_message_id',
    'idempotency_key',
    'mode',
    'actor_id_hash',
    'session_id_hash',
    'status',
  ])('filtered by %s holds exactly the records that have it, newest first', async (field) => {
    const values = new Set(all.map((item) => item[field]));
    for (const value of [...values].slice(0, 8)) {
      const expected = newestFirst((item) => item[field] === value);
      const page = await list({ [field]: value, size: 200 });
      expect({ items: ids(page.items), total: page.total, relation: page.total_relation }).toEqual({
        items: expected,
        total: expected.length,
        relation: 'eq',
      });
    }
    expect(await list({ [field]: field === 'status' ? 'recorded' : 'none-such', size: 1 })).toMatchObject({
      total: field === 'status' ? COUNT - 3 : 0,
    });
  });

  it('filtered by several fields holds what has all of them', async () => {
    const wanted = { application_key: 'app-1', environment: 'env-2', mode: 'mode-1' };
    const expected = newestFirst((item) => Object.entries(wanted).every(([field, value]) => item[field] === value));
    expect(expected.length).toBeGreaterThan(3);
    expect((await walk({ ...wanted, size: 2 })).ids).toEqual(expected);
  });

  it('has a window that includes its beginning and excludes its end, to the microsecond', async () => {
    const from = all[30]?.created_at;
    const to = all[60]?.created_at;
    const inWindow = newestFirst(({ created_at: at }) => at >= from && at < to);
    expect(inWindow).toHaveLength(30);
    expect((await walk({ created_after: from, created_before: to, size: 200 })).ids).toEqual(inWindow);
    expect((await list({ created_after: from, created_before: from })).total).toBe(0);
    const justAfter = from.replace(
      /(\d{6})Z$/,
      (_: string, micros: string) => `${String(Number(micros) + 1).padStart(6, '0')}Z`,
    );
    expect((await walk({ created_after: justAfter, created_before: to, size: 200 })).ids).toEqual(
      inWindow.slice(0, -1),
    );
  });

  it('reads a window in any offset', async () => {
    const from = new Date(Math.ceil(Date.parse(all[60]?.created_at) / 1) + 1);
    const there = new Date(from.getTime() + 5.5 * 3_600_000).toISOString().replace('Z', '+05:30');
    expect((await walk({ created_after: there, size: 200 })).ids).toEqual(
      (await walk({ created_after: from.toISOString(), size: 200 })).ids,
    );
  });

  it.each([1, 7, 50, 119, 120, 200])(
    'walked by cursor in steps of %i gives every record once, newest first',
    async (size) => {
      const walked = await walk({ size });
      expect(walked.ids).toEqual(newestFirst(() => true));
      expect(walked.pages.map(({ page }) => page)).toEqual(walked.pages.map((_, n) => n + 1));
      expect(new Set(walked.pages.map(({ total }) => total))).toEqual(new Set([COUNT]));
    },
  );

  it('walked by page gives every record once, and nothing after the last', async () => {
    const pages = await Promise.all([1, 2, 3, 4].map((page) => list({ page, size: 40 })));
    expect(pages.flatMap(({ items }) => ids(items))).toEqual(newestFirst(() => true));
    expect(pages.map(({ items }) => items.length)).toEqual([40, 40, 40, 0]);
    expect(pages[3]?.next_cursor).toBeNull();
    expect((await list({})).size).toBe(50);
    expect((await list({ page: 50, size: 200 })).items).toEqual([]);
  });

  it('goes on by cursor from any page', async () => {
    const second = await list({ page: 2, size: 40 });
    const rest = await list({ size: 200, cursor: second.next_cursor });
    expect(ids(rest.items)).toEqual(newestFirst(() => true).slice(80));
  });

  it('shows the rest once and nothing twice when records come in between', async () => {
    const first = await list({ environment: 'env-0', size: 10 });
    await service.call('POST', RECORDS, {
      body: answer('later', 'later', { environment: 'env-0', application_key: 'late' }),
    });
    const rest = await list({ environment: 'env-0', size: 200, cursor: first.next_cursor });
    expect([...ids(first.items), ...ids(rest.items)]).toEqual(newestFirst((item) => item.environment === 'env-0'));
  });

  it('takes a cursor for the filters that it was made with and no others', async () => {
    const { next_cursor: cursor } = await list({ mode: 'mode-1', size: 1 });
    for (const query of [
      `mode=mode-2&cursor=${cursor}`,
      `cursor=${cursor}`,
      `mode=mode-1&environment=env-1&cursor=${cursor}`,
    ]) {
      const reply = await service.call('GET', `${RECORDS}?${query}`);
      expect([reply.status, reply.body.code]).toEqual([422, 'cursor_not_valid']);
    }
  });

  it('leaves out texts, events, receipts, entries, erasures and links, and reads like the record otherwise', async () => {
    const { items } = await list({ size: 200, created_before: all.at(-1)?.created_at });
    for (const item of items) {
      const shown = all.find(({ id }) => id === item.id) ?? {};
      const { events: _events, receipt: _receipt, erasure: _erasure, evidence_links: _links, ...whole } = shown;
      const { text: _question, ...question } = whole.question;
      const { text: _answer, ...answered } = whole.answer;
      const { entry: _entry, ...ledger } = whole.ledger;
      expect(item).toEqual({ ...whole, question, answer: answered, ledger });
    }
  });
});
