import { afterAll, afterEach, beforeAll, describe, expect, it } from '@jest/globals';
import pg from 'pg';
import { until } from '../tools/scenery/service-process.ts';
import { answer, openTestService, type TestService } from '../tools/scenery/test-service.ts';
import { addStreamTo, openEventCollector, readStream, STREAMS } from './support/event-collector.ts';

let service: TestService;
let collector: Awaited<ReturnType<typeof openEventCollector>>;

beforeAll(async () => {
  service = await openTestService();
});
afterAll(() => service.close());
afterEach(async () => {
  const { body } = await service.call('GET', STREAMS);
  for (const { id } of body.items) await service.call('DELETE', `${STREAMS}/${id}`);
  await collector.close();
});

const getStream = (id: string) => readStream(service, id);

async function recordAnswer(): Promise<string> {
  return (await service.call('POST', '/api/answer-audit-logs', { body: answer('words asked', 'words told') })).body.id;
}

describe('a stream', () => {
  it('whose stored destination was altered says so, and goes on once it is set anew', async () => {
    collector = await openEventCollector();
    const destination = { type: 'https', url: collector.url };
    const { id } = await addStreamTo(service, destination, { format: 'json' });
    const client = new pg.Client({ connectionString: service.databaseUrl });
    await client.connect();
    await client.query(`update answer_evidence.streams set sealed = 'x' where id = $1`, [id]);
    await client.end();
    await recordAnswer();
    await until('it fails', async () => /damaged; set it anew/.test((await getStream(id)).last_error ?? ''));
    const tested = await service.call('POST', `${STREAMS}/${id}/test`);
    expect(tested.body).toEqual({ confirmed: false, error: 'the stored destination is damaged; set it anew' });
    const set = await service.call('PATCH', `${STREAMS}/${id}`, { body: { destination } });
    expect(set.status).toBe(200);
    await until('all is sent', async () => (await getStream(id)).waiting === 0);
    expect(await getStream(id)).toMatchObject({ failing_since: null, last_error: null });
    expect(collector.events().map(({ damage }) => damage)).toContain(null);
  });

  it('says that an entry is damaged, and goes on behind it', async () => {
    collector = await openEventCollector();
    const { id } = await addStreamTo(service, { type: 'https', url: collector.url }, { format: 'json' });
    await service.call('PATCH', `${STREAMS}/${id}`, { body: { state: 'disabled' } });
    const recordIds = [await recordAnswer(), await recordAnswer()];
    const client = new pg.Client({ connectionString: service.databaseUrl });
    await client.connect();
    await client.query('begin');
    await client.query(`set local session_replication_role = 'replica'`);
    await client.query(
      `update answer_evidence.answer_records set application_key = 'secret words' where id = $1`,
      recordIds.slice(0, 1),
    );
    await client.query('commit');
    await client.end();
    await service.call('PATCH', `${STREAMS}/${id}`, { body: { state: 'active' } });
    await until('all is sent', async () => (await getStream(id)).waiting === 0);
    const about = (recordId: string | undefined) => collector.events().find(({ subject }) => subject === recordId);
    expect(about(recordIds[0])).toMatchObject({ damage: 'what it is about was altered', about: {} });
    expect(about(recordIds[1]).damage).toBeNull();
    expect(JSON.stringify(collector.events())).not.toContain('secret words');
  });
});
