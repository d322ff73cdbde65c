import { describe, expect, it } from '@jest/globals';
import { runTranscript } from '../testing/run-transcript.ts';
import { AT, ID } from '../testing/samples.ts';

const target = {
  id: ID,
  name: 'on-call',
  origin: 'https://hooks.example.com',
  event_types: null,
  state: 'disabled',
  reason: 'gone',
  state_since: AT,
  failing_since: AT,
  paused_until: null,
  pending: 3,
  overlap_until: null,
  created_at: AT,
  version: 1,
  mail: null,
};
const mail = { digest: 'daily', hour: 7, language: 'de', stopped: 'unconfirmed', member_id: null };
const mailTarget = { ...target, origin: 'mailto:example.com', reason: null, mail };
const SECRET = 'whsec_MfKQ9r8GKYqrTwjUPD8ILPZIo2LaLaSw';
const delivery = {
  notification_id: ID,
  state: 'failed',
  attempts: 12,
  last_status: 422,
  last_error: 'the target responded 422',
  created_at: AT,
  delivered_at: null,
  body: {
    type: 'record.redacted',
    timestamp: AT,
    data: {
      workspace_id: ID,
      workspace: 'demo',
      subject: ID,
      sentence: 'a record of support-bot was redacted',
      place: `/records/${ID}`,
      entry_id: ID,
      actor: null,
      about: {},
    },
  },
};
const page = { items: [delivery], page: 1, size: 50, total: 1, total_relation: 'eq', next_cursor: null };
const TARGETS = '/api/notifications/targets';

describe('notifications', () => {
  const routes = {
    [`GET ${TARGETS}`]: { body: { items: [target] } },
    [`POST ${TARGETS}`]: { status: 201, body: { ...target, secret: SECRET } },
    'POST /api/notifications/mail-targets': { status: 201, body: mailTarget },
    [`POST ${TARGETS}/${ID}/confirm`]: { body: { ...mailTarget, state: 'active', failing_since: null } },
    [`PATCH ${TARGETS}/${ID}`]: { body: { ...target, state: 'active', reason: null, failing_since: null } },
    [`POST ${TARGETS}/${ID}/rotate`]: { status: 201, body: { ...target, secret: SECRET } },
    [`GET ${TARGETS}/${ID}/deliveries`]: { body: page },
    [`POST ${TARGETS}/${ID}/deliveries/${ID}/replay`]: { status: 202, body: { ...delivery, state: 'pending' } },
  };

  it('lists targets with why they get nothing', async () => {
    const { exitCode, stdout } = await runTranscript(['notifications', 'list'], routes);
    expect([exitCode, stdout.includes('disabled (gone)')]).toEqual([0, true]);
  });

  it('adds one, shows its secret once, and says so', async () => {
    const args = ['notifications', 'add', 'on-call', 'https://hooks.example.com/x', '--event', 'record.redacted'];
    const { exitCode, stdout, stderr, calls } = await runTranscript(args, routes);
    expect([exitCode, stdout.includes(SECRET)]).toEqual([0, true]);
    expect(stderr).toContain('not shown again');
    const wanted = { name: 'on-call', url: 'https://hooks.example.com/x', event_types: ['record.redacted'] };
    expect(calls[0]?.body).toBe(JSON.stringify(wanted));
  });

  it('adds an address of mail, and confirms it by the code', async () => {
    const terms = ['--digest', 'daily', '--hour', '7', '--language', 'de'];
    const args = ['notifications', 'add-mail', 'on-call', 'anna@example.com', ...terms];
    const added = await runTranscript(args, routes);
    const wanted = { name: 'on-call', address: 'anna@example.com', digest: 'daily', language: 'de', hour: 7 };
    expect([added.exitCode, JSON.parse(added.calls[0]?.body ?? '')]).toEqual([0, wanted]);
    expect(added.stdout).toContain('disabled (unconfirmed)');
    expect(added.stdout).toContain('daily, 7:00 UTC, in de');
    expect((await runTranscript(args.slice(0, -4), routes)).exitCode).toBe(2);
    const confirmed = await runTranscript(['notifications', 'confirm', ID, 'abc'], routes);
    expect([confirmed.exitCode, confirmed.calls[0]?.body]).toEqual([0, '{"code":"abc"}']);
  });

  it('enables, rotates with an overlap, lists deliveries and replays one', async () => {
    const enabled = await runTranscript(['notifications', 'enable', ID], routes);
    expect(enabled.calls[0]?.body).toBe('{"state":"active"}');
    const rotated = await runTranscript(['notifications', 'rotate', ID, '--overlap', '2d'], routes);
    expect(rotated.calls[0]?.body).toBe('{"overlap_seconds":172800}');
    const listed = await runTranscript(['notifications', 'deliveries', ID, '--state', 'failed'], routes);
    expect(listed.stdout).toContain('the target responded 422');
    expect(listed.calls[0]?.query).toContain('state=failed');
    const replayed = await runTranscript(['notifications', 'replay', ID, ID], routes);
    expect([replayed.exitCode, replayed.stdout.includes('pending')]).toEqual([0, true]);
  });

  it('answers 2 to a type that there is not, before anything is sent', async () => {
    const args = ['notifications', 'add', 'on-call', 'https://hooks.example.com/x', '--event', 'record.read'];
    const { exitCode, calls } = await runTranscript(args, routes);
    expect([exitCode, calls]).toEqual([2, []]);
  });
});
