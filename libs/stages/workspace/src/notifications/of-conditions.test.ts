import { describe, expect, it } from '@jest/globals';
import { overdueItem } from '../overview/find-overdue.ts';
import { conditionsOf, notificationOf, overdueConditions } from './of-conditions.ts';

const RUN = '0199f3c2-0000-7000-8000-000000000001';
const NONE = new Set<string>();
const overdue = { run_id: RUN, application_key: 'support-bot', due_at: 7_000_000, findings: 2 };

describe('findings that are overdue', () => {
  it('are one thing for each run and time, however many there are', () => {
    const keys = (of: Parameters<typeof overdueConditions>[0]) => overdueConditions(of).map(({ key }) => key);
    const [key] = keys([overdue]);
    expect(keys([{ ...overdue, findings: 1 }])).toEqual([key]);
    expect(keys([{ ...overdue, due_at: 8_000_000 }])).not.toEqual([key]);
    expect(keys([{ ...overdue, run_id: RUN.replace('1', '2') }])).not.toEqual([key]);
    // What the overview says of the whole run is not told as well.
    expect(conditionsOf([overdueItem(overdue)])).toEqual([]);
  });

  it('are told when they begin to be, in words and with their run, and not when they no longer are', () => {
    const [condition] = overdueConditions([overdue]);
    const item = condition?.item ?? {};
    expect(notificationOf({ kind: 'began', item }, 9, NONE)).toMatchObject({
      type: 'findings.overdue',
      subject: 'support-bot',
      happenedAt: 9,
      content: {
        sentence: '2 findings of support-bot are overdue',
        place: `/reconciliation/${RUN}`,
        about: { count: 2, since: '1970-01-01T00:00:07.000000Z', object_id: RUN, application_key: 'support-bot' },
      },
    });
    expect(notificationOf({ kind: 'ended', item }, 9, NONE)).toBeUndefined();
  });
});

describe('a stream that fails', () => {
  const ID = '0199f3c2-0000-7000-8000-000000000002';
  const item = {
    kind: 'stream_failing',
    severity: 'medium',
    count: 3,
    since: '2026-03-01T00:00:00.000000Z',
    until: null,
    application_key: null,
    name: 'siem',
    object_id: ID,
    sentence: 'the stream siem fails, and 3 entries wait for it',
    place: '/streams',
  } as const;

  it('is the same one under another name', () => {
    const keys = (name: string) => conditionsOf([{ ...item, name }]).map(({ key }) => key);
    expect(keys('renamed')).toEqual(keys('siem'));
  });

  it('is back once it works again, and not because it was disabled or removed', () => {
    const ended = { kind: 'ended', item } as const;
    expect(notificationOf(ended, 9, NONE)).toBeUndefined();
    expect(notificationOf(ended, 9, new Set([ID]))).toMatchObject({ type: 'stream.back', subject: 'siem' });
  });
});
