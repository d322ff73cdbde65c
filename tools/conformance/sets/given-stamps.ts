import type { BundleAnchor, PinnedAnchor } from '@answer-evidence/contracts';
import { sha256 } from '@answer-evidence/digest';
import { canonicalize, formatBase64, utf8 } from '@answer-evidence/encoding';
import { type Change, type LooseEntry, readEntry, reseal, setEntry } from '../reseal.ts';
import { openStamps } from '../stamps/tokens.ts';
import { bound, RECORD, smallerBundle } from './given.ts';
import { giveFiles, type Open, type WholeCase } from './whole-case.ts';

/** Trees that anchors attested. */
const STAMPS: readonly (readonly [
  id: string,
  genTime: string,
  needed: number,
  withLog: boolean,
  outcomes: Readonly<Record<string, string>>,
])[] = [
  ['a time-stamp, with the log', '20261122220000Z', 1, true, bound('2026-11-22T22:00:00.000000Z, anchor tsa', 'PASS')],
  ['a time-stamp, without the log', '20261122220000Z', 1, false, bound('none', 'SKIP')],
  [
    'a time-stamp after the time of the record',
    '20261122235959Z',
    1,
    true,
    bound('2026-11-22T21:59:59.000000Z', 'PASS'),
  ],
  ['a time-stamp where two are needed', '20261122220000Z', 2, true, bound('2026-11-22T21:59:59.000000Z', 'PASS')],
];

/** The tokens of the suite are of 2026, so the record is as well, and the leaves after it. */
const YOUNGER: Change = {
  before: ({ entries, bundle: { record } }) => {
    for (let n = RECORD - 1; n < entries.length; n++) {
      const second = String(n - RECORD + 1).padStart(2, '0');
      const at = n < RECORD ? '2026-11-22T21:59:59.000000Z' : `2026-11-22T23:00:${second}.000000Z`;
      entries[n] = canonicalize({ ...(JSON.parse(entries[n] ?? '') as LooseEntry), at });
    }
    setEntry(record, { ...readEntry(record), at: '2026-11-22T23:00:01.000000Z' }, entries);
  },
};

/** A bundle beside one whose tree is smaller and time-stamped. */
export function listStampedTrees(open: Open): readonly WholeCase[] {
  return STAMPS.map(([id, genTime, needed, withLog, outcomes]) => {
    const world = reseal(open('bound'), YOUNGER);
    const other = smallerBundle(world, open, RECORD);
    const make = openStamps(sha256(utf8(other.checkpoint.slice(0, other.checkpoint.indexOf('\n\n') + 1))));
    const { pem } = make({});
    const anchors: BundleAnchor[] = [
      { anchor_id: 'tsa', type: 'rfc3161', artefact: formatBase64(make({ genTime }).response) },
    ];
    const pin: PinnedAnchor = { anchor_id: 'tsa', type: 'rfc3161', required: false, certificate_pem: pem };
    const trust = { ...world.trust, anchors: [pin], anchors_required: needed };
    const files = { bundle: JSON.stringify(world.bundle), other: JSON.stringify({ ...other, anchors }) };
    return { id: `given: ${id}`, given: giveFiles({ ...world, trust }, files, withLog), expected: { outcomes } };
  });
}
