import { afterAll, afterEach, beforeAll, describe, expect, it } from '@jest/globals';
import { openMisbehavingPeers } from '@answer-evidence/testing';
import { until } from '../tools/scenery/service-process.ts';
import { answer, openTestService, type TestService } from '../tools/scenery/test-service.ts';
import { addStreamTo, openEventCollector, readStream, STREAMS } from './support/event-collector.ts';

let service: TestService;

beforeAll(async () => {
  service = await openTestService();
});
afterAll(() => service.close());
afterEach(async () => {
  const { body } = await service.call('GET', STREAMS);
  for (const { id } of body.items) await service.call('DELETE', `${STREAMS}/${id}`);
  for (const one of opened.splice(0)) await one.close();
});

const opened: { close(): Promise<void> }[] = [];

/** Ended after the test. */
async function openCollector() {
  const collector = await openEventCollector();
  opened.push(collector);
  return collector;
}

const addStream = (destination: object, more?: object) => addStreamTo(service, destination, more);
const getStream = (id: string) => readStream(service, id);

async function recordAnswer(): Promise<string> {
  return (await service.call('POST', '/api/answer-audit-logs', { body: answer('words asked', 'words told') })).body.id;
}

describe('a stream', () => {
  it('sends every entry from its own on, with ids and words, and never a text, a reason or a secret', async () => {
    const collector = await openCollector();
    const header = { name: 'Authorization', value: 'Splunk secret-token' };
    const { id } = await addStream({ type: 'https', url: collector.url, header }, { format: 'json' });
    const recordId = await recordAnswer();
    await service.call('POST', `/api/answer-audit-logs/${recordId}/events`, {
      body: { event_type: 'redacted', reason: 'a private reason', payload: { reason_code: 'erasure_request' } },
    });
    await until('all is sent', async () => (await getStream(id)).waiting === 0);
    const events = collector.events();
    expect(events.map(({ type }) => type)).toEqual(['stream_changed', 'answer_recorded', 'lifecycle_event']);
    expect(events.map(({ leaf_index: leaf }) => leaf - events[0].leaf_index)).toEqual([0, 1, 2]);
    expect(events[2]).toMatchObject({
      subject: recordId,
      workspace: service.workspace,
      actor: { kind: 'user' },
      about: { answer_log_id: recordId, event_type: 'redacted' },
      damage: null,
    });
    expect(collector.requests[0]?.headers['authorization']).toBe('Splunk secret-token');
    expect(JSON.stringify(events)).not.toMatch(/private|words asked|words told|erasure_request|secret/);
    const shown = JSON.stringify([await getStream(id), await service.call('GET', '/api/tenant/entries')]);
    expect(shown).not.toMatch(/secret-token|secret-path/);
  });

  it('sends the reasons of readings only where it was asked to, and as OCSF unless told otherwise', async () => {
    const [without, withReasons] = [await openCollector(), await openCollector()];
    const streams = [
      await addStream({ type: 'https', url: without.url }),
      await addStream({ type: 'https', url: withReasons.url, body: 'array' }, { include_reasons: true }),
    ];
    const recordId = await recordAnswer();
    await service.call('POST', `/api/answer-audit-logs/${recordId}/reveal`, {
      body: { reason_code: 'complaint', reason: 'a private reason' },
    });
    for (const { id } of streams) await until('all is sent', async () => (await getStream(id)).waiting === 0);
    const event = without.events().find(({ metadata }) => metadata.event_code === 'texts_revealed');
    expect(event).toMatchObject({ class_uid: 3004, activity_name: 'Read', metadata: { version: '1.8.0' } });
    expect(JSON.stringify(event)).not.toContain('private');
    const arrays = withReasons.requests.flatMap(({ text }) => JSON.parse(text));
    expect(arrays.find(({ metadata }) => metadata.event_code === 'texts_revealed').comment).toBe('a private reason');
  });

  it('that hangs, lies, redirects or is gone waits in words, holds up no other, and goes on where it was', async () => {
    const peers = await openMisbehavingPeers('text/plain');
    opened.push(peers);
    const collector = await openCollector();
    collector.responds(503);
    const bad = new Map<string, string>();
    for (const [kind, url] of Object.entries(peers.urls)) bad.set(kind, (await addStream({ type: 'https', url })).id);
    const good = await openCollector();
    const works = await addStream({ type: 'https', url: good.url });
    const { id } = await addStream({ type: 'https', url: collector.url });
    await recordAnswer();
    await until('the good one has all', async () => (await getStream(works.id)).waiting === 0);
    for (const [kind, streamId] of bad) {
      // What responds with a status that confirms has confirmed, whatever it says.
      if (kind === 'answers garbage') continue;
      await until(`${kind} fails`, async () => (await getStream(streamId)).failing_since !== null);
      const stream = await getStream(streamId);
      expect([kind, stream.waiting > 0]).toEqual([kind, true]);
      expect(stream.last_error).toMatch(
        kind === 'redirects'
          ? /^the collector responded 307; redirects are not followed$/
          : /^(no usable response arrived|the collector responded 403)$/,
      );
      expect(JSON.stringify(stream)).not.toContain(peers.words);
    }
    await until('it fails', async () => (await getStream(id)).last_error === 'the collector responded 503');
    const [{ tree_size: before }, sent] = [await getStream(id), collector.requests.length];
    collector.responds(200);
    await service.call('PATCH', `${STREAMS}/${id}`, { body: { name: 'tried at once' } });
    await until('all is sent', async () => (await getStream(id)).waiting === 0);
    const [first] = (collector.requests[sent]?.text ?? '').split('\n');
    expect(JSON.parse(first ?? '').metadata.sequence).toBe(before);
  });

  it('is tested with one event that is about no entry', async () => {
    const collector = await openCollector();
    const { id } = await addStream({ type: 'https', url: collector.url }, { format: 'json' });
    await service.call('PATCH', `${STREAMS}/${id}`, { body: { state: 'disabled' } });
    const tested = await service.call('POST', `${STREAMS}/${id}/test`);
    expect([tested.status, tested.body]).toEqual([200, { confirmed: true, error: null }]);
    expect(collector.events().at(-1)).toMatchObject({ type: 'test', leaf_index: null });
    collector.responds(403);
    const refused = await service.call('POST', `${STREAMS}/${id}/test`);
    expect(refused.body).toEqual({ confirmed: false, error: 'the collector responded 403' });
  });

  it('is refused at what may not be called, under a name that is taken, and beyond the limit', async () => {
    const bucket = { bucket: 'logs', access_key_id: 'a', secret_access_key: 'secret' };
    const refused: readonly (readonly [object, string])[] = [
      [{ type: 'https', url: 'http://169.254.169.254/' }, '/destination/url'],
      [
        { type: 'https', url: 'https://siem.example.com/', header: { name: 'Host', value: 'x' } },
        '/destination/header/name',
      ],
      [
        { type: 'https', url: 'https://a.example/', header: { name: 'A', value: 'a\r\nB: c' } },
        '/destination/header/value',
      ],
      [{ type: 'syslog', host: '169.254.169.254' }, '/destination/host'],
      [{ type: 'syslog', host: 'siem.example.com', port: 514 }, '/destination/host'],
      [{ type: 'syslog', host: 'siem.example.com', key_pem: 'x' }, '/destination/certificate_pem'],
      [{ type: 'syslog', host: 'siem.example.com', ca_pem: 'secret' }, '/destination/ca_pem'],
      [
        { type: 'syslog', host: 'siem.example.com', certificate_pem: 'x', key_pem: 'x' },
        '/destination/certificate_pem',
      ],
      [{ type: 's3', url: 'https://10.0.0.1/', ...bucket }, '/destination/url'],
      [{ type: 's3', url: 'https://s3.example.com/a-path', ...bucket }, '/destination/url'],
      [{ type: 'ftp' }, '/destination/type'],
    ];
    for (const [destination, pointer] of refused) {
      const { status, body } = await service.call('POST', STREAMS, { body: { name: 'refused', destination } });
      expect([destination, status, body.errors?.[0]?.pointer]).toEqual([destination, 422, pointer]);
    }
    const body = { name: 'one', destination: { type: 'https', url: 'https://siem.example.com/' } };
    expect((await service.call('POST', STREAMS, { body })).status).toBe(201);
    expect((await service.call('POST', STREAMS, { body })).body.code).toBe('name_taken');
    for (let n = 1; n < 10; n++) await service.call('POST', STREAMS, { body: { ...body, name: `number ${n}` } });
    expect((await service.call('POST', STREAMS, { body: { ...body, name: 'more' } })).body.code).toBe('limit_reached');
  });

  it('has each change in the log, and the ledger check holds', async () => {
    const destination = { type: 'https', url: 'https://siem.example.com/secret-path' };
    const { id } = await addStream(destination, { name: 'logged' });
    await service.call('PATCH', `${STREAMS}/${id}`, { body: { format: 'json', state: 'disabled' } });
    await service.call('PATCH', `${STREAMS}/${id}`, { body: { format: 'json', destination } });
    const other = { type: 'syslog', host: 'siem.example.com' };
    await service.call('PATCH', `${STREAMS}/${id}`, { body: { destination: other } });
    await service.call('DELETE', `${STREAMS}/${id}`);
    const { body } = await service.call('GET', '/api/tenant/entries?type=stream_changed&size=200');
    const own = body.items.filter(({ core }: any) => core.stream_id === id);
    expect(own.map(({ core }: any) => [core.change, core.changed, core.destination.place]).reverse()).toEqual([
      ['created', [], 'https://siem.example.com'],
      ['changed', ['format', 'state'], 'https://siem.example.com'],
      ['changed', ['destination'], 'siem.example.com:6514'],
      ['removed', [], 'siem.example.com:6514'],
    ]);
    expect(JSON.stringify(own)).not.toContain('secret-path');
    expect((await service.call('GET', `${STREAMS}/${id}`)).status).toBe(404);
    const check = await service.call('POST', '/api/trust/ledger-checks');
    expect([check.status, check.body.findings ?? []]).toEqual([200, []]);
  });
});
