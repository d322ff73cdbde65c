import { beforeAll, describe, expect, it } from '@jest/globals';
import type { Caller } from '@answer-evidence/access';
import { hashNamedId } from '@answer-evidence/commitments';
import { type AnswerRecord, type SearchRequest, searchResult } from '@answer-evidence/contracts';
import { changeSettings } from '@answer-evidence/testing';
import { createRecord, type IngestTest, openIngest } from '../../fixtures/ingest.ts';

const TRACE = '4bf92f3577b34da6a3ce929d0e0e4736';

describe('POST /api/search', () => {
  let stage: IngestTest;
  let records: readonly AnswerRecord[];
  beforeAll(async () => {
    stage = await openIngest();
    await changeSettings(stage, { answer_audit_keyed_hash_enabled: true });
    const { vault } = await stage.directory.get(stage.manager.workspaceId);
    const [key] = await stage.administration.hashKeys(stage.manager.workspaceId);
    if (key === undefined) throw new Error('switching keyed hashes on makes a key');
    const hash = (kind: 'actor' | 'session', id: string) =>
      hashNamedId(vault.openHashKey(key.id, key.wrapped_key), kind, id);
    records = [
      await createRecord(stage, { external_message_id: 'msg-1', idempotency_key: 'key-1' }),
      await createRecord(stage, { external_trace_id: TRACE, environment: 'staging' }),
      await createRecord(stage, { application_key: 'other-bot', actor_id_hash: hash('actor', 'customer-1001') }),
      await createRecord(stage, { session_id_hash: hash('session', 'session 7'), external_message_id: 'today' }),
    ];
  });

  async function search(request: SearchRequest, as: Caller = stage.manager) {
    const reply = await stage.call('POST', '/api/search', { as, body: request });
    expect(reply.status).toBe(200);
    return searchResult.parse(reply.body);
  }
  async function found(text: string, as?: Caller) {
    const { understood, items, not_understood: left } = await search({ text }, as);
    const means = understood.filter(({ total }) => total > 0).map((reading) => reading.means.join(' '));
    return [means, items.map(({ id }) => records.findIndex((record) => record.id === id)), left];
  }

  it('finds a record by each id that somebody may have of it', async () => {
    expect(await found(records[1]?.id.toUpperCase() ?? '')).toEqual([['record_id'], [1], null]);
    expect(await found(' msg-1 ')).toEqual([['external_message_id'], [0], null]);
    expect(await found('key-1')).toEqual([['idempotency_key'], [0], null]);
    expect(await found(TRACE.toUpperCase())).toEqual([['external_trace_id'], [1], null]);
  });

  it('finds the records of a customer or a session, whose id is hashed in place', async () => {
    expect(await found('customer-1001')).toEqual([['actor_id'], [2], null]);
    expect(await found('session 7')).toEqual([['session_id'], [3], null]);
    const { understood } = await search({ text: 'customer-1001' });
    const [reading] = understood.filter(({ total }) => total > 0);
    expect(reading?.filters).toEqual({ actor_id_hash: records[2]?.actor_id_hash });
  });

  it('finds the records of an application, an environment and a day, also together', async () => {
    expect(await found('OTHER-bot')).toEqual([['application'], [2], null]);
    expect(await found('staging')).toEqual([['environment'], [1], null]);
    expect(await found('yesterday')).toEqual([[], [], null]);
    const day = records[0]?.created_at.slice(0, 10) ?? '';
    expect(await found(day)).toEqual([['time'], [3, 2, 1, 0], null]);
    expect(await found(`other-bot on ${day}`)).toEqual([['application time'], [2], null]);
    expect(await found(`customer-1001 ${day}`)).toEqual([['actor_id time'], [2], null]);
  });

  it('takes a text that is an id for that, whatever else it may mean', async () => {
    expect(await found('today')).toEqual([['external_message_id'], [3], null]);
  });

  it('says what it did not understand, and what it looked for', async () => {
    const day = records[0]?.created_at.slice(0, 10) ?? '';
    expect(await found(`other-bot about jackets ${day}`)).toEqual([['application time'], [2], 'about jackets']);
    const nothing = await search({ text: 'jackets' });
    expect(nothing).toMatchObject({ items: [], not_understood: 'jackets' });
    expect(nothing.understood.map(({ means: [first] }) => first)).toContain('actor_id');
  });

  it('brings the newest records, so many as were asked for, and no text', async () => {
    const day = records[0]?.created_at.slice(0, 10) ?? '';
    const { items, understood } = await search({ text: day, size: 2 });
    expect(items.map(({ id }) => id)).toEqual([records[3]?.id, records[2]?.id]);
    expect(understood.at(-1)).toMatchObject({ total: 4, total_relation: 'eq' });
    expect(JSON.stringify(items)).not.toContain('Because.');
  });

  it('shows an application nothing but its own records', async () => {
    const own = stage.application;
    expect(await found('customer-1001', own)).toEqual([[], [], 'customer-1001']);
    expect(await found(records[2]?.id ?? '', own)).toEqual([[], [], records[2]?.id]);
    expect(await found('other-bot', own)).toEqual([[], [], 'other-bot']);
    expect(await found('msg-1', own)).toEqual([['external_message_id'], [0], null]);
  });

  it('takes a text with anything in it for a text', async () => {
    for (const text of ["'; drop table x; --", '%', '<img src=x onerror=alert(1)>', '\u202eabc', '*', '\\'])
      expect((await search({ text })).items).toEqual([]);
  });
});
