import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import pg from 'pg';
import { NOTIFICATION_ABOUT } from '@answer-evidence/contracts';
import { listen } from '@answer-evidence/testing';
import { openTestService, type TestService } from '../tools/scenery/test-service.ts';
import { openReceiver, type Received, verifyDelivery } from './support/webhook-receiver.ts';

let service: TestService;
let database: pg.Client;

beforeAll(async () => {
  service = await openTestService();
  database = new pg.Client({ connectionString: service.databaseUrl });
  await database.connect();
});
afterAll(async () => {
  await database.end();
  await service.close();
});

/** What the collector failed by so often that somebody is told, and is tried again now. */
async function notePastFailures(streamId: string): Promise<void> {
  await database.query(
    `update answer_evidence.stream_states set failures = greatest(failures, 2), paused_until = 0 where stream_id = $1`,
    [streamId],
  );
}

describe('a target', () => {
  it('is told that a stream was added, fails, is back and was removed, and the overview names it meanwhile', async () => {
    const receiver = await openReceiver();
    const types = ['stream.changed', 'stream.failing', 'stream.back'];
    const target = { name: 'streams', url: receiver.url, event_types: types };
    const { secret } = (await service.call('POST', '/api/notifications/targets', { body: target })).body;
    let status = 503;
    const collector = await listen((request, response) => {
      request.resume().on('end', () => response.writeHead(status).end());
    });
    const destination = { type: 'https', url: `${collector.url}/secret-path` };
    const { id } = (await service.call('POST', '/api/streams', { body: { name: 'siem', destination } })).body;
    const getStream = async () => (await service.call('GET', `/api/streams/${id}`)).body;
    const attention = async () =>
      (await service.call('GET', '/api/overview')).body.attention.filter(({ kind }: any) => kind === 'stream_failing');

    while ((await getStream()).failing_since === null);
    // One failure is a pause of the collector, and nobody is told.
    expect(await attention()).toEqual([]);
    await notePastFailures(id);
    const failing = await receiver.waitFor(({ body }) => body.type === 'stream.failing');
    const [named, ...others] = await attention();
    expect(others).toEqual([]);
    expect(named).toMatchObject({ name: 'siem', object_id: id, severity: 'medium', place: '/streams' });
    expect(named.sentence).toMatch(/^the stream siem fails, and (1 entry waits|\d+ entries wait) for it$/);
    // It fails under its new name, too, until the collector has confirmed something.
    await service.call('PATCH', `/api/streams/${id}`, { body: { name: 'renamed' } });
    await receiver.waitFor(({ body }) => body.data['about'].change === 'changed');
    status = 204;
    await notePastFailures(id);
    await receiver.waitFor(({ body }) => body.type === 'stream.back');
    expect(await attention()).toEqual([]);
    expect((await getStream()).waiting).toBe(0);
    await service.call('DELETE', `/api/streams/${id}`);
    const isRemoval = ({ body }: Received) => body.data['about'].change === 'removed';
    await receiver.waitFor(isRemoval);

    expect(failing.body.data).toMatchObject({ subject: 'siem', place: '/streams', about: { object_id: id } });
    expect([...new Set(receiver.received.map(({ id: one }) => one))]).toHaveLength(5);
    for (const one of receiver.received) {
      verifyDelivery(secret, one);
      const { type, data } = one.body;
      NOTIFICATION_ABOUT[type as 'stream.changed'].parse(data['about']);
      expect(one.text).not.toMatch(/secret-path|127\.0\.0\.1/);
    }
    const changes = receiver.received.filter(({ body }) => body.type === 'stream.changed');
    expect(changes.map(({ body }) => body.data['about'])).toEqual([
      { stream_id: id, name: 'siem', change: 'created' },
      { stream_id: id, name: 'renamed', change: 'changed' },
      { stream_id: id, name: 'renamed', change: 'removed' },
    ]);
    expect(changes[0]?.body.data['sentence']).toBe('the stream siem of entries: created');
    await receiver.close();
    await collector.close();
  }, 120_000);
});
