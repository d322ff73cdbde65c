import type { JsonValue } from '@answer-evidence/contracts';
import { type LooseEntry, readEntry, reseal, setEntry, timeAfter, type World } from '../reseal.ts';
import { give, type Open, type WholeCase } from './whole-case.ts';

const HOLD_ID = '01a20522-0000-7000-a000-000000000001';
const OTHER_ID = '01a20522-0000-7000-a000-000000000002';
const NONCE = '00112233445566778899aabbccddeeff';
const ACTOR = { kind: 'user', id: '01a20522-0000-7000-a000-000000000003', token_id: null };
/** Leaves before every record of the suite, which no bundle shows. */
const [EARLY, NEXT] = [1, 2];

type Core = Readonly<Record<string, JsonValue>>;
/** An entry about a hold: at a leaf that the log has, or at its end. */
type Stated = {
  readonly core: Core;
  readonly type?: string;
  readonly at?: number;
  readonly entry?: LooseEntry;
};

const place = (more: Core, options: Omit<Stated, 'core'> = {}): Stated => ({
  core: { id: HOLD_ID, nonce: NONCE, version: 1, matter: 'Case 7', reason: 'A claim', actor: ACTOR, ...more },
  ...options,
});
const all = { filters: {} };
const release = (more: Core = {}, options: Omit<Stated, 'core'> = {}): Stated => ({
  core: { ...place({ id: OTHER_ID, hold_id: HOLD_ID }).core, ...more },
  type: 'hold_released',
  ...options,
});

/** The leaves of the suite are older than they were: an expiry comes again when its time had come. */
function expireInTime({ bundle, entries }: World): void {
  for (const leaf of bundle.attachments) {
    const entry = readEntry(leaf);
    if (entry['type'] === 'text_expired')
      setEntry(leaf, { ...entry, at: timeAfter({ at: leaf.core['retained_until'] ?? null }, 1) }, entries);
  }
}

/** Puts entries about holds into a log and its bundle. */
function state({ bundle, entries }: World, holds: readonly Stated[]): void {
  bundle.holds = holds.map(({ core, type = 'hold_placed', at = entries.length, entry = {} }) => {
    const leaf = { leaf_index: at, entry: '', leaf_hash: '', proof: '', core: { ...core } };
    const before = JSON.parse(entries[at] ?? entries[at - 1] ?? '{}') as LooseEntry;
    const time = timeAfter(before, entries[at] === undefined ? 1 : 0);
    const own = { v: 1, type, subject: bundle.workspace_id, seq: core['version'] ?? 0, at: time };
    setEntry(leaf, { ...own, id: core['id'] ?? null, hash: null, ...entry }, entries);
    return leaf;
  });
}

type Row = readonly [bundle: string, name: string, holds: readonly Stated[], fails?: boolean];

const atRecord = (name: 'created_after' | 'created_before', micros: number) => (world: World) =>
  ({ filters: { [name]: timeAfter(JSON.parse(world.bundle.record.entry) as LooseEntry, micros) } }) as const;

const ROWS: readonly Row[] = [
  ['plain', 'none', []],
  ['plain', 'one over everything', [place(all)]],
  ['plain', 'one over its application', [place({ filters: { application_key: 'support-bot' } })]],
  ['plain', 'one that was placed before it', [place(all, { at: EARLY })]],
  ['plain', 'one that was released', [place(all), release()]],
  ['plain', 'one over another application', [place({ filters: { application_key: 'other' } })], true],
  ['plain', 'one over other records', [place({ answer_log_ids: [OTHER_ID] })], true],
  ['plain', 'one over no records', [place({ answer_log_ids: [] })], true],
  ['plain', 'one with a filter that is not one', [place({ filters: { status: 'recorded' } })], true],
  ['plain', 'one with filters and records', [place({ ...all, answer_log_ids: [OTHER_ID] })], true],
  ['plain', 'one with neither', [place({})], true],
  ['plain', 'one without a matter', [place({ ...all, matter: null })], true],
  ['plain', 'a release of no hold', [release()], true],
  ['plain', 'a release before its hold', [place(all), release({}, { at: EARLY })], true],
  ['plain', 'a release for another matter', [place(all), release({ matter: 'Case 8' })], true],
  [
    'plain',
    'a second release',
    [place(all), release(), release({ id: '01a20522-0000-7000-a000-000000000004', version: 2 })],
    true,
  ],
  ['plain', 'one of another workspace', [place(all, { entry: { subject: OTHER_ID } })], true],
  ['plain', 'one with another number', [place(all, { entry: { seq: 2 } })], true],
  ['plain', 'an entry that is not about a hold', [place(all, { type: 'export_made' })], true],
  ['redacted', 'a redaction under one', [place(all, { at: EARLY })], true],
  ['redacted', 'a redaction after its release', [place(all, { at: EARLY }), release({}, { at: NEXT })]],
  ['redacted', 'a redaction before one', [place(all)]],
  ['redacted', 'a redaction before its release', [place(all, { at: EARLY }), release()], true],
  ['expired', 'an expiry under one', [place(all, { at: EARLY })], true],
  ['expired', 'an expiry after its release', [place(all, { at: EARLY }), release({}, { at: NEXT })]],
];

/** Holds that a bundle states, hashed and signed again, so that each rule about them stands alone. */
export function listHolds(open: Open): readonly WholeCase[] {
  const windows: readonly (readonly [string, (world: World) => Core, boolean])[] = [
    ['one from its time on', atRecord('created_after', 0), false],
    ['one from after its time on', atRecord('created_after', 1), true],
    ['one until its time', atRecord('created_before', 0), true],
    ['one until after its time', atRecord('created_before', 1), false],
    ['one over it alone', ({ bundle }) => ({ answer_log_ids: [bundle.record.core.id] }), false],
  ];
  const make = (name: string, holds: (world: World) => readonly Stated[], change: (world: World) => void = () => {}) =>
    give(
      reseal(open(name), {
        before: (world) => {
          expireInTime(world);
          state(world, holds(world));
          change(world);
        },
      }),
    );
  const expected = (fails: boolean) => ({ fails: fails ? ['leaf_entry'] : [] });
  return [
    ...ROWS.map(([name, id, holds, fails = false]) => ({
      id: `holds ${name}: ${id}`,
      given: make(name, () => holds),
      expected: expected(fails),
    })),
    ...windows.map(([id, cover, fails]) => ({
      id: `holds plain: ${id}`,
      given: make('plain', (world) => [place(cover(world))]),
      expected: expected(fails),
    })),
    {
      id: 'holds redacted: a redaction under one that was made again after a restore',
      given: make(
        'redacted',
        () => [place(all, { at: EARLY })],
        ({ bundle }) => {
          for (const { core } of bundle.events) core.actor = { kind: 'service', id: 'recovery', token_id: null };
        },
      ),
      expected: expected(false),
    },
  ];
}
