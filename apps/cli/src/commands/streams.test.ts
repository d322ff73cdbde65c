import { describe, expect, it } from '@jest/globals';
import { runTranscript } from '../testing/run-transcript.ts';
import { AT, ID } from '../testing/samples.ts';

const stream = {
  id: ID,
  name: 'siem',
  destination: { type: 'https', place: 'https://siem.example.com' },
  format: 'ocsf',
  include_reasons: false,
  state: 'active',
  state_since: AT,
  tree_size: 12,
  waiting: 3,
  waiting_since: AT,
  confirmed_at: AT,
  failing_since: AT,
  last_error: 'the collector responded 503',
  paused_until: AT,
  created_at: AT,
  version: 1,
};
const ONE = `/api/streams/${ID}`;

describe('streams', () => {
  const routes = {
    'GET /api/streams': { body: { items: [stream] } },
    'POST /api/streams': { status: 201, body: stream },
    [`GET ${ONE}`]: { body: stream },
    [`PATCH ${ONE}`]: { body: { ...stream, state: 'disabled' } },
    [`POST ${ONE}/test`]: { body: { confirmed: false, error: 'no usable response arrived' } },
  };
  const destination = {
    type: 'https',
    url: 'https://siem.example.com/x',
    header: { name: 'Authorization', value: 'S3' },
  };
  const world = { files: { 'collector.json': JSON.stringify(destination) } };

  it('lists them, and shows how far one is and what it fails by', async () => {
    const listed = await runTranscript(['streams', 'list'], routes);
    expect([listed.exitCode, listed.stdout.includes(`failing since ${AT}`)]).toEqual([0, true]);
    const shown = await runTranscript(['streams', 'show', ID], routes);
    expect(shown.stdout).toContain('the collector responded 503');
  });

  it('adds one whose destination is in a file, so that no secret is in the command line', async () => {
    const { exitCode, stdout, calls } = await runTranscript(
      ['streams', 'add', 'siem', 'collector.json', '--from', 'beginning'],
      routes,
      world,
    );
    expect([exitCode, stdout.includes('https://siem.example.com')]).toEqual([0, true]);
    expect(JSON.parse(String(calls[0]?.body))).toEqual({
      name: 'siem',
      destination: { ...destination, body: 'lines' },
      format: 'ocsf',
      include_reasons: false,
      from: 'beginning',
    });
  });

  it('changes, disables and tests one', async () => {
    const changed = await runTranscript(['streams', 'change', ID, '--include-reasons'], routes);
    expect(changed.calls[0]?.body).toBe('{"include_reasons":true}');
    const disabled = await runTranscript(['streams', 'disable', ID], routes);
    expect([disabled.calls[0]?.body, disabled.stdout.includes('disabled')]).toEqual(['{"state":"disabled"}', true]);
    const tested = await runTranscript(['streams', 'test', ID], routes);
    expect(tested.stdout).toContain('no usable response arrived');
  });

  it('answers 2 to a destination that is none, before anything is sent', async () => {
    const files = { 'collector.json': '{"type": "ftp"}' };
    const { exitCode, calls } = await runTranscript(['streams', 'add', 'siem', 'collector.json'], routes, { files });
    expect([exitCode, calls]).toEqual([2, []]);
  });
});
