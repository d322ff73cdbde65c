import type { BundleAnchor, PinnedAnchor } from '@answer-evidence/contracts';
import { sha256 } from '@answer-evidence/digest';
import { canonicalize, formatBase64, formatHex, utf8 } from '@answer-evidence/encoding';
import { leafHash } from '@answer-evidence/merkle';
import {
  type Change,
  createWitness,
  createWitnessPq,
  type LooseEntry,
  readEntry,
  reseal,
  setEntry,
  timeAfter,
} from '../reseal.ts';
import { openStamps } from '../stamps/tokens.ts';
import { give, type Open, type WholeCase } from './whole-case.ts';

/** When the tokens are of, and when a leaf may be of at the latest. */
const STAMPED = '20261122212300Z';
const LATEST = '2026-11-22T21:28:00.000000Z';
const TOO_LATE = '2026-11-22T21:28:00.000001Z';
/** The same of cosignatures, in seconds since 1970. */
const COSIGNED = Date.parse('2026-11-22T21:23:00Z') / 1000;
const OTHER_LEAF = 78;

const atRecord = (at: string): Change => ({
  before: ({ bundle: { record }, entries }) => setEntry(record, { ...readEntry(record), at }, entries),
});
const atOther = (at: string): Change => ({
  before: ({ entries }) => {
    entries[OTHER_LEAF] = canonicalize({ ...(JSON.parse(entries[OTHER_LEAF] ?? '') as LooseEntry), at });
  },
});
/** A last event that is not under the root, and of this time. */
const foreignEvent = (at: string): Change => ({
  after: ({ bundle: { events } }) => {
    const event = events.at(-1);
    if (event === undefined) throw new Error('the bundle has no event');
    event.entry = canonicalize({ ...readEntry(event), at });
    event.leaf_hash = formatHex(leafHash(event.entry));
  },
});

/** What a case of tokens is made of; what is left out is one required anchor with one token. */
type Stamped = {
  readonly bundle?: string;
  readonly change?: Change;
  readonly withLog?: boolean;
  /** The times of the tokens by the names of their anchors. */
  readonly tokens?: Readonly<Record<string, string>>;
  readonly demanded?: readonly string[];
  readonly needed?: number;
  /** Whether the trust file pins roots only, each as often as here. */
  readonly roots?: number;
};
export const ANCHORED = { external_anchor: 'PASS', anchored: 'PASS' };
export const REFUSED = { external_anchor: 'FAIL', anchored: 'FAIL' };
export const OPEN = { external_anchor: 'SKIP', anchored: 'SKIP' };

const TOKENS: readonly (readonly [name: string, Stamped, outcomes: Readonly<Record<string, string>>])[] = [
  ['300 s before the record', { change: atRecord(LATEST) }, ANCHORED],
  ['300 s and 1 µs before the record', { change: atRecord(TOO_LATE) }, REFUSED],
  [
    '300 s and 1 µs before it by its fraction',
    { change: atRecord(LATEST), tokens: { tsa: '20261122212259.999999Z' } },
    REFUSED,
  ],
  [
    'a fraction below a microsecond is cut off',
    { change: atRecord(TOO_LATE), tokens: { tsa: '20261122212300.0000019Z' } },
    ANCHORED,
  ],
  ['years after the record', {}, ANCHORED],
  ['years before the record', { change: atRecord('2030-01-01T00:00:00.000000Z') }, REFUSED],
  ['contradicted by a leaf that is not shown', { change: atOther(TOO_LATE) }, ANCHORED],
  ['contradicted by a leaf that only the log shows', { change: atOther(TOO_LATE), withLog: true }, REFUSED],
  ['300 s before a leaf that only the log shows', { change: atOther(LATEST), withLog: true }, ANCHORED],
  [
    'before a leaf that is not under the root',
    { bundle: 'corrected', change: foreignEvent('2030-01-01T00:00:00.000000Z') },
    { merkle_inclusion: 'FAIL', external_anchor: 'PASS', anchored: 'FAIL' },
  ],
  [
    'one of two contradicted',
    { change: atRecord(TOO_LATE), tokens: { tsa: STAMPED, late: '20261122220000Z' } },
    REFUSED,
  ],
  [
    'an anchor that nobody demands contradicted',
    { change: atRecord(TOO_LATE), tokens: { tsa: '20261122220000Z', early: STAMPED }, demanded: ['tsa'] },
    ANCHORED,
  ],
  ['roots only', { roots: 1 }, ANCHORED],
  ['roots only, contradicted', { roots: 1, change: atRecord(TOO_LATE) }, REFUSED],
  ['roots only, one certificate twice', { roots: 2 }, ANCHORED],
  [
    'roots only, two tokens of one certificate where two are needed',
    { roots: 1, tokens: { a: STAMPED, b: STAMPED }, needed: 2 },
    OPEN,
  ],
  [
    'roots only, the same with the certificate twice',
    { roots: 2, tokens: { a: STAMPED, b: STAMPED }, needed: 2 },
    OPEN,
  ],
  ['two anchors of one certificate where two are needed', { tokens: { a: STAMPED, b: STAMPED }, needed: 2 }, ANCHORED],
  ['one of two that are needed', { tokens: { a: STAMPED }, demanded: ['a', 'b'], needed: 2 }, OPEN],
];

const COSIGNATURES: readonly (readonly [name: string, change: Change, seconds: number, outcome: string])[] = [
  ['300 s before the record', atRecord(LATEST), COSIGNED, 'PASS'],
  ['300 s and 1 µs before the record', atRecord(TOO_LATE), COSIGNED, 'FAIL'],
  ['301 s before the record', atRecord(LATEST), COSIGNED - 1, 'FAIL'],
  ['a second later than that', atRecord(TOO_LATE), COSIGNED + 1, 'PASS'],
  ['at the time 0', {}, 0, 'FAIL'],
  ['at the time 0 of a record of 1970', atRecord('1970-01-01T00:05:00.000000Z'), 0, 'PASS'],
  ['at the time 0 of a record a microsecond later', atRecord('1970-01-01T00:05:00.000001Z'), 0, 'FAIL'],
  ['years after the record', {}, COSIGNED + 1e9, 'PASS'],
  ['contradicted by a leaf that is not shown', atOther(TOO_LATE), COSIGNED, 'PASS'],
];

/** Two leaves of a bundle, in the order of the log, and how many microseconds lie between them at least. */
const PAIRS: readonly (readonly [bundle: string, name: string, before: number, after: number, distance: number])[] = [
  ['corrected', 'a record and its event', 0, 1, 23],
  ['corrected', 'two events', 1, 2, 1],
  ['linked', 'a record and its attachment', 0, 1, 2],
  ['linked', 'two attachments', 1, 2, 2],
];

function follow(before: number, after: number, micros: number): Change {
  return {
    leaves: ({ bundle: { record, events, attachments }, entries }) => {
      const leaves = [record, ...events, ...attachments];
      const [first, second] = [leaves[before], leaves[after]];
      if (first === undefined || second === undefined) throw new Error('the bundle has no such leaves');
      const at = timeAfter(readEntry(first), micros);
      setEntry(second, { ...readEntry(second), at }, entries);
    },
  };
}

function listDistances(open: Open): readonly WholeCase[] {
  return PAIRS.flatMap(([name, what, before, after, distance]) =>
    [distance - 1, distance].map((micros) => {
      const isWrong = micros < distance;
      return {
        id: `times of leaves: ${what} that are ${distance} leaves apart, ${micros} µs`,
        given: give(reseal(open(name), follow(before, after, micros))),
        expected: { fails: isWrong ? ['leaf_entry'] : [] },
      };
    }),
  );
}

function listTokens(open: Open): readonly WholeCase[] {
  return TOKENS.map(([name, stamped, outcomes]) => {
    const { bundle = 'plain', change, withLog = false, tokens = { tsa: STAMPED }, needed = 1, roots } = stamped;
    const world = reseal(open(bundle), change);
    const text = world.bundle.checkpoint.slice(0, world.bundle.checkpoint.indexOf('\n\n') + 1);
    const make = openStamps(sha256(utf8(text)));
    const { pem } = make({});
    const anchors = Object.entries(tokens).map(([id, genTime]): BundleAnchor => ({
      anchor_id: id,
      type: 'rfc3161',
      artefact: formatBase64(make({ genTime }).response),
    }));
    const demanded = (stamped.demanded ?? Object.keys(tokens)).map((id): PinnedAnchor => ({
      anchor_id: id,
      type: 'rfc3161',
      required: false,
      certificate_pem: pem,
    }));
    const pins = roots === undefined ? { anchors: demanded } : { tsa_roots: Array.from({ length: roots }, () => pem) };
    const trust = { ...world.trust, ...pins, anchors_required: needed };
    const given = give({ ...world, bundle: { ...world.bundle, anchors }, trust }, withLog);
    return { id: `times of tokens: ${name}`, given, expected: { outcomes } };
  });
}

function listCosignatures(open: Open): readonly WholeCase[] {
  const witness = createWitness(1);
  const policy = `witness a ${witness.vkey}\nquorum a\n`;
  const whole = COSIGNATURES.map(([name, change, seconds, outcome]) => {
    const world = reseal(open('plain'), { ...change, witnesses: [[witness, seconds]] });
    return {
      id: `times of cosignatures: ${name}`,
      given: give({ ...world, trust: { ...world.trust, witness_policy: policy } }),
      expected: { outcomes: { witness_cosignatures: outcome } },
    };
  });
  return [...whole, ...listAlteredCosignatures(open)];
}

/** A cosignature by ML-DSA-44 of which one byte is another: of the time, or of the signature. */
function listAlteredCosignatures(open: Open): readonly WholeCase[] {
  const witness = createWitnessPq(1);
  return [11, 12, 1000, 2431].map((at) => {
    const world = reseal(open('plain'), { witnesses: [[witness, COSIGNED]] });
    const start = world.bundle.checkpoint.lastIndexOf(' ') + 1;
    const line = Buffer.from(world.bundle.checkpoint.slice(start), 'base64');
    line[at] = (line[at] ?? 0) ^ 1;
    const checkpoint = `${world.bundle.checkpoint.slice(0, start)}${line.toString('base64')}\n`;
    return {
      id: `times of cosignatures: by ML-DSA-44, with another byte ${at}`,
      given: give({
        ...world,
        bundle: { ...world.bundle, checkpoint },
        trust: { ...world.trust, witness_policy: `witness a ${witness.vkey}\nquorum a\n` },
      }),
      expected: { outcomes: { witness_cosignatures: 'FAIL' } },
    };
  });
}

/** Times of leaves, tokens and cosignatures that contradict each other, or just do not. */
export function listTimes(open: Open): readonly WholeCase[] {
  return [...listDistances(open), ...listTokens(open), ...listCosignatures(open)];
}
