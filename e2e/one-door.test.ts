import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { ROUTE_TABLE, type RouteRow } from '../tools/scenery/route-table.ts';
import { openTenants, type Target, type Tenant } from '../tools/scenery/tenants.ts';
import { openTestService, type Reply, type TestService } from '../tools/scenery/test-service.ts';

const RECORDS = '/api/answer-audit-logs';
const TEXTS = { question: 'MARKED-QUESTION', answer: 'MARKED-ANSWER', correction: 'MARKED-CORRECTION' };
const MARKS = Object.values(TEXTS);
const WITHHELD = { 'Service-Texts': 'withheld' };
/** These give texts to a browser, and append an entry of this type before. */
const WITH_AN_ENTRY: Readonly<Record<string, string>> = {
  'POST /api/answer-audit-logs/{answer_log_id}/reveal': 'texts_revealed',
  'POST /api/trust/proofs/answers/{answer_log_id}/reveal': 'texts_revealed',
  'GET /api/answer-audit-logs/export': 'export_made',
  'POST /api/trust/packs': 'export_made',
  'POST /api/search/texts': 'texts_revealed',
};
/** This one gives the answer that holds, and so the correction alone. */
const OF_WHAT_HOLDS = 'POST /api/search/texts';
/** These end the token that the others are asked with. */
const ENDING = ['POST /api/auth/logout', 'POST /api/auth/password'];

let service: TestService;
let ours: Tenant;
let target: Target;
let payload: object;

beforeAll(async () => {
  service = await openTestService();
  ({ ours } = await openTenants(service));
  payload = {
    application_key: ours.target.applicationKey,
    idempotency_key: 'one-door',
    question: { text: TEXTS.question },
    answer: { text: TEXTS.answer },
  };
  const created = await call('POST', RECORDS, payload);
  const recordId: string = created.body.id;
  const correction = { event_type: 'correction_appended', payload: { corrected_answer_text: TEXTS.correction } };
  expect((await call('POST', `${RECORDS}/${recordId}/events`, correction)).status).toBe(200);
  target = { ...ours.target, recordId };
}, 60_000);
afterAll(() => service.close());

function call(method: string, path: string, body?: object, headers?: Record<string, string>): Promise<Reply> {
  const given = { ...(body === undefined ? {} : { body }), ...(headers === undefined ? {} : { headers }) };
  return service.call(method, path, { token: ours.manager, ...given });
}

async function countEntries(type: string): Promise<number> {
  const { body } = await call('GET', `/api/tenant/entries?type=${type}&size=200`);
  return body.items.length;
}

async function ask(name: string, row: RouteRow): Promise<Reply> {
  return call(name.split(' ')[0] ?? '', row.path(target), row.body?.(target), WITHHELD);
}

const shows = (reply: Reply) => MARKS.filter((mark) => reply.text.includes(mark));

describe('the texts of a record, asked for as a browser asks', () => {
  it('are in no reply of any operation, but where an entry of the log says so', async () => {
    const shown: string[] = [];
    for (const [name, row] of Object.entries(ROUTE_TABLE)) {
      if (WITH_AN_ENTRY[name] !== undefined || ENDING.includes(name)) continue;
      const marks = shows(await ask(name, row));
      if (marks.length > 0) shown.push(`${name}: ${marks.join(', ')}`);
    }
    expect(shown).toEqual([]);
  });

  it.each(Object.entries(WITH_AN_ENTRY))('leave by %s with an entry %s', async (name, type) => {
    const row = ROUTE_TABLE[name];
    if (row === undefined) throw new Error('there is no such operation');
    const before = await countEntries(type);
    const given = name === OF_WHAT_HOLDS ? [TEXTS.question, TEXTS.correction] : MARKS;
    expect(shows(await ask(name, row))).toEqual(given);
    expect(await countEntries(type)).toBe(before + 1);
  });

  it('are in no reply to a creation that is repeated, in a batch neither', async () => {
    const again = await call('POST', RECORDS, payload, WITHHELD);
    expect([again.status, again.headers.get('idempotency-replayed')]).toEqual([201, 'true']);
    expect(shows(again)).toEqual([]);
    expect(again.body.answer.text_state).toBe('stored');
    const batch = await call('POST', `${RECORDS}/batch`, { records: [payload] }, WITHHELD);
    expect([batch.body.results[0].outcome, shows(batch)]).toEqual(['replayed', []]);
  });

  it('are in the reply to a repeated event only as far as the caller wrote them', async () => {
    const correction = { event_type: 'correction_appended', payload: { corrected_answer_text: 'MARKED-AGAIN' } };
    const headers = { ...WITHHELD, 'Idempotency-Key': 'one-door-event' };
    for (const replayed of [null, 'true']) {
      const reply = await call('POST', `${RECORDS}/${target.recordId}/events`, correction, headers);
      expect(reply.headers.get('idempotency-replayed')).toBe(replayed);
      expect([shows(reply), reply.text.includes('MARKED-AGAIN')]).toEqual([[], true]);
    }
  });
});
