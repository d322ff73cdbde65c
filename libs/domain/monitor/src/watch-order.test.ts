import { describe, expect, it } from '@jest/globals';
import type { EntryFields } from '@answer-evidence/commitments';
import type { EntryType } from '@answer-evidence/contracts';
import { formatHex } from '@answer-evidence/encoding';
import { appendLeaves, leafHash } from '@answer-evidence/merkle';
import { createFixtureLog, verifySignature } from '../fixtures/fixture-log.ts';
import { createLeafMemory, createMonitor, kinds, log } from '../fixtures/fixture-monitor.ts';
import { watchLog } from './watch-log.ts';

const START = 1_700_000_000_000_000;
const idOf = (index: number) => `0199f3c2-0000-7000-8000-${index.toString(16).padStart(12, '0')}`;
const OTHER = '0199f3c2-0000-7000-9000-000000000001';

type Case = readonly [
  name: string,
  types: Readonly<Record<number, EntryType>>,
  entries: Readonly<Record<number, Partial<EntryFields>>>,
  words: string,
];

/** Logs that somebody signed as they are. Leaf 40 is wrong, or the first one after it that is read. */
const WRONG: readonly Case[] = [
  ['a time of years ago', {}, { 40: { at: START - 1e14 } }, 'leaf 40 has the time'],
  ['the time of the leaf before', {}, { 40: { at: START + 39 } }, 'leaf 40 has the time'],
  ['a time after that of the next leaf', {}, { 40: { at: START + 1e12 } }, 'leaf 41 has the time'],
  ['a second genesis', { 40: 'genesis' }, {}, 'leaf 40 is a second genesis'],
  ['one leaf twice', {}, { 40: { id: idOf(39), subject: idOf(39) } }, 'leaf 40 records a record a second time'],
  [
    'one id for two objects',
    { 40: 'lifecycle_event' },
    { 40: { id: idOf(3), subject: idOf(4), seq: 1 } },
    'leaf 40 has the id',
  ],
  [
    'an event before its record',
    { 40: 'lifecycle_event' },
    { 40: { subject: idOf(50), seq: 1 } },
    'leaf 40 is about a record',
  ],
  ['an event of no record', { 40: 'lifecycle_event' }, { 40: { subject: OTHER, seq: 1 } }, 'leaf 40 is about a record'],
  [
    'two events of one number',
    { 30: 'lifecycle_event', 40: 'lifecycle_event' },
    { 30: { subject: idOf(4), seq: 1 }, 40: { subject: idOf(4), seq: 1 } },
    'leaf 40 has the seq 1',
  ],
  [
    'an event that is left out',
    { 40: 'lifecycle_event' },
    { 40: { subject: idOf(4), seq: 2 } },
    'leaf 40 has the seq 2',
  ],
  ['a record about another one', {}, { 40: { subject: OTHER } }, 'leaf 40 has a subject other than its own id'],
  ['a record with a number', {}, { 40: { seq: 1 } }, 'leaf 40 has the seq 1'],
  ['an expiry of no record', { 40: 'text_expired' }, {}, 'leaf 40 is about a record'],
  ['an access to no asset', { 40: 'evidence_accessed' }, {}, 'leaf 40 is about an asset'],
  [
    'an asset twice',
    { 30: 'evidence_registered', 40: 'evidence_registered' },
    { 30: { subject: OTHER }, 40: { subject: OTHER } },
    'leaf 40 registers an asset a second time',
  ],
  [
    'settings that go back',
    { 30: 'settings_changed', 40: 'settings_changed' },
    { 30: { subject: OTHER, seq: 1 }, 40: { subject: OTHER, seq: 1 } },
    'leaf 40 has the seq 1',
  ],
  ['a policy that skips a version', { 40: 'trust_policy_changed' }, { 40: { seq: 2 } }, 'leaf 40 has the seq 2'],
  [
    'an event without a number',
    { 40: 'lifecycle_event' },
    { 40: { subject: idOf(4), seq: 0 } },
    'leaf 40 has the seq 0, but its type counts from 1',
  ],
  ['a change of keys without number', { 40: 'ledger_key_changed' }, { 40: { seq: 0 } }, 'leaf 40 has the seq 0'],
  [
    'an entry of another workspace',
    { 30: 'token_issued', 40: 'token_issued' },
    { 30: { subject: OTHER }, 40: { subject: idOf(3) } },
    'leaf 40 is about another workspace',
  ],
];

describe('a log that is out of order', () => {
  it.each(WRONG)('is found for %s, in this look and in the next', async (_, types, entries, words) => {
    const wrong = createFixtureLog({ types, entries });
    const monitor = createMonitor(wrong.trust());
    const sizes = [30, 60, 60];
    const found = [];
    for (const [n, size] of sizes.entries()) found.push(await monitor.look(wrong.serve(size), n));
    expect(found.map(kinds)).toEqual([[], ['invalid_log'], ['invalid_log']]);
    expect(found[1]?.findings[0]?.detail).toContain(`the log is out of order: ${words}`);
    expect(found[2]?.findings).toEqual(found[1]?.findings);
    // A monitor that looks for the first time finds it too.
    expect(kinds(await createMonitor(wrong.trust()).look(wrong.serve(60)))).toEqual(['invalid_log']);
  });

  it('is found without a genesis', async () => {
    const wrong = createFixtureLog({ entries: { 0: { type: 'answer_recorded' } } });
    const watched = await createMonitor(wrong.trust()).look(wrong.serve(3));
    expect(watched.findings[0]).toMatchObject({
      kind: 'invalid_log',
      detail: expect.stringContaining('leaf 0 is not the genesis'),
    });
  });

  it('has its faults counted', async () => {
    const at = (index: number) => [index, { at: START }] as const;
    const wrong = createFixtureLog({ entries: Object.fromEntries([5, 6, 7, 8, 9].map(at)) });
    const watched = await createMonitor(wrong.trust()).look(wrong.serve(20));
    expect(watched.findings[0]?.detail).toMatch(/leaf 5 .*leaf 6 .*leaf 7 .*; and 2 more faults$/);
  });
});

describe('what is kept of the leaves', () => {
  const types = { 20: 'lifecycle_event', 40: 'settings_changed', 280: 'lifecycle_event' } as const;
  const places = {
    20: { subject: idOf(3), seq: 1 },
    40: { subject: OTHER, seq: 1 },
    280: { subject: idOf(3), seq: 2 },
  };
  const honest = createFixtureLog({ types, entries: places });

  it('lets an honest log go on from any size, without reading an entry again', async () => {
    const leaves = createLeafMemory();
    const monitor = createMonitor(honest.trust(), { leaves });
    for (const [n, size] of [1, 21, 256, 281, 600].entries())
      expect(await monitor.look(honest.serve(size), n)).toMatchObject({ findings: [], notices: [] });
    expect(leaves.rows.split('\n')).toHaveLength(601);
  });

  it('is read again from the first leaf where it is missing, short or of another log', async () => {
    for (const spoil of [
      () => '',
      (rows: string) => rows.slice(0, 97 * 99),
      (rows: string) => rows.replaceAll(/[0-9a-f]/g, '0'),
    ]) {
      const leaves = createLeafMemory();
      const monitor = createMonitor(honest.trust(), { leaves });
      await monitor.look(honest.serve(100));
      leaves.rows = spoil(leaves.rows);
      const asked: string[] = [];
      expect(await monitor.look(honest.serve(300, asked), 1)).toMatchObject({ findings: [], notices: [] });
      expect(asked).toContain('tile/entries/000');
      expect(leaves.rows.split('\n')).toHaveLength(301);
    }
  });

  it('is made from the state of an earlier version, whose leaves nobody had looked at', async () => {
    const wrong = createFixtureLog({ entries: { 4: { at: START - 1 } } });
    const { frontier } = appendLeaves(
      0,
      [],
      Array.from({ length: 10 }, (_, index) => leafHash(wrong.entry(index))),
    );
    const first = await createMonitor(log.trust()).look(log.serve(10));
    if (first.log === undefined) throw new Error('there is no state');
    const entries = { tree_size: 10, frontier: frontier.map((hash) => formatHex(hash)) };
    const before = { ...first.log, checkpoint: wrong.note(10), entries };
    const watched = await watchLog(before, {
      source: before.source,
      read: wrong.serve(10),
      trust: wrong.trust(),
      verify: verifySignature,
      now: START,
      stall: null,
      grace: 0,
      kept: [],
      canGoOn: () => true,
      keep: () => Promise.resolve(),
      leaves: createLeafMemory(),
    });
    expect(watched.findings[0]?.detail).toContain('leaf 4 has the time');
  });
});
