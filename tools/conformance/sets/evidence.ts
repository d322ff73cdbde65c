import { hashCore } from '@answer-evidence/commitments';
import type { BundleEvidence, JsonValue, ProofBundle } from '@answer-evidence/contracts';
import { type Change, type Leaf, readEntry, reseal, setEntry } from '../reseal.ts';
import { give, type Open, type WholeCase } from './whole-case.ts';

const OTHER_ID = '01a20522-0000-7000-8000-000000000000';

/** A change of the evidence of a bundle by its name, and the checks that fail for it. */
type Row = readonly [bundle: string, name: string, fails: readonly string[], change: Change, withLog?: boolean];

/** A core, of which a case changes a member. */
type LooseCore = Record<string, JsonValue>;
type Find = (evidence: BundleEvidence) => Leaf | undefined;
const access: Find = ({ accesses }) => accesses[0];
const asset: Find = ({ assets }) => assets[0]?.registered;
const cutAsset: Find = ({ assets }) => assets.find(({ segments }) => segments.length > 0)?.registered;
const erasure: Find = ({ assets }) => assets.flatMap(({ erasures }) => erasures)[0];

function evidenceIn({ evidence }: ProofBundle): BundleEvidence {
  if (evidence === undefined || evidence === null) throw new Error('the bundle has no evidence');
  return evidence;
}

function leafIn(bundle: ProofBundle, find: Find): Leaf {
  const leaf = find(evidenceIn(bundle));
  if (leaf === undefined) throw new Error('the bundle has no such leaf');
  return leaf;
}

/** Changes the core of a leaf, which is then hashed again. */
const core = (find: Find, change: (core: LooseCore, bundle: ProofBundle) => void): Change => ({
  before: ({ bundle }) => change(leafIn(bundle, find).core, bundle),
});
/** Changes the entry of a leaf alone. */
const entry = (find: Find, member: string, value: JsonValue): Change => ({
  leaves: ({ bundle, entries }) => {
    const leaf = leafIn(bundle, find);
    setEntry(leaf, { ...readEntry(leaf), [member]: value }, entries);
  },
});
/** Changes what is shown. */
const shown = (change: (evidence: BundleEvidence, bundle: ProofBundle) => void): Change => ({
  after: ({ bundle }) => change(evidenceIn(bundle), bundle),
});
/** Changes the order in which two leaves are in the log: each takes the place and the time of the other. */
const swap = (one: (bundle: ProofBundle) => Leaf, two: (bundle: ProofBundle) => Leaf): Change => ({
  before: ({ bundle, entries }) => {
    const [first, second] = [one(bundle), two(bundle)];
    const [at, otherAt] = [readEntry(first)['at'] ?? '', readEntry(second)['at'] ?? ''];
    [first.leaf_index, second.leaf_index] = [second.leaf_index, first.leaf_index];
    setEntry(first, { ...readEntry(first), at: otherAt }, entries);
    setEntry(second, { ...readEntry(second), at }, entries);
  },
});
const record = ({ record: own }: ProofBundle): Leaf => own;
const of =
  (find: Find) =>
  (bundle: ProofBundle): Leaf =>
    leafIn(bundle, find);

const BINDING = ['evidence_binding'];

const ROWS: readonly Row[] = [
  ...['bound', 'bound-disclosed', 'bound-redacted', 'bound-gone'].flatMap((name): Row[] => [
    [name, 'unchanged', [], {}],
    [name, 'unchanged, with the log', [], {}, true],
  ]),
  ['bound', 'an access of another application', BINDING, core(access, (own) => (own['application_key'] = 'other'))],
  ['bound', 'an asset of another application', BINDING, core(asset, (own) => (own['application_key'] = 'other'))],
  ['bound', 'an access with another id', BINDING, core(access, (own) => (own['id'] = OTHER_ID))],
  [
    'bound',
    'an access to another asset',
    ['evidence_binding', 'leaf_entry'],
    core(access, (own) => (own['asset_id'] = OTHER_ID)),
  ],
  ['bound', 'an access of a kind that is not one', BINDING, core(access, (own) => (own['access'] = 'peek'))],
  ['bound', 'a core with a member more', BINDING, core(access, (own) => (own['more'] = 1))],
  ['bound', 'an asset with a member more', BINDING, core(asset, (own) => (own['more'] = 1))],
  ['bound', 'a segment that the asset does not have', BINDING, core(access, (own) => (own['segments'] = [999]))],
  ['bound', 'fewer segments than are shown', BINDING, core(cutAsset, (own) => (own['segment_count'] = 1))],
  [
    'bound',
    'another root of segments',
    BINDING,
    core(cutAsset, (own) => (own['segments_root'] = `sha256:${'0'.repeat(64)}`)),
  ],
  ['bound', 'no root of segments', BINDING, core(cutAsset, (own) => (own['segments_root'] = null))],
  [
    'bound',
    'a record that names an access more',
    BINDING,
    { before: ({ bundle }) => bundle.record.core.evidence_access_event_ids.push(OTHER_ID) },
  ],
  [
    'bound',
    'a record that names an access less',
    BINDING,
    { before: ({ bundle }) => bundle.record.core.evidence_access_event_ids.pop() },
  ],
  [
    'bound',
    'a record that names an access twice',
    [],
    {
      before: ({ bundle }) => {
        const ids = bundle.record.core.evidence_access_event_ids;
        ids.push(ids[0] ?? '');
      },
    },
  ],
  [
    'bound',
    'a record that names no access',
    BINDING,
    { before: ({ bundle }) => (bundle.record.core.evidence_access_event_ids = []) },
  ],
  ['bound', 'an access left out', BINDING, shown(({ accesses }) => accesses.pop())],
  ['bound', 'an asset left out', BINDING, shown(({ assets }) => assets.pop())],
  [
    'bound',
    'an access shown twice',
    ['leaf_entry'],
    shown(({ accesses }) => accesses.push(...structuredClone(accesses.slice(0, 1)))),
  ],
  [
    'bound',
    'an asset shown twice',
    ['leaf_entry'],
    shown(({ assets }) => assets.push(...structuredClone(assets.slice(0, 1)))),
  ],
  ['bound', 'no evidence at all', BINDING, { after: ({ bundle }) => delete bundle.evidence }],
  ['bound', 'a segment left out', BINDING, shown(({ assets }) => assets.forEach(({ segments }) => segments.pop()))],
  [
    'bound',
    'a segment shown twice',
    BINDING,
    shown(({ assets }) => assets.forEach(({ segments }) => segments.push(...structuredClone(segments.slice(0, 1))))),
  ],
  [
    'bound',
    'a segment at another index',
    BINDING,
    shown(({ assets }) => assets.forEach(({ segments }) => segments.forEach((one) => (one.index += 1)))),
  ],
  [
    'bound',
    'a segment with another id',
    BINDING,
    shown(({ assets }) => assets.forEach(({ segments }) => segments.forEach((one) => (one.segment_id = 'other')))),
  ],
  [
    'bound-disclosed',
    'another text of a segment',
    BINDING,
    shown(({ assets }) =>
      assets.forEach(({ segments }) =>
        segments.forEach(({ disclosed }) => disclosed !== null && (disclosed.text += '.')),
      ),
    ),
  ],
  ['bound', 'an access after the record', BINDING, swap(record, of(access))],
  ['bound', 'an access before its asset', BINDING, swap(of(access), of(asset))],
  ['bound', 'the entry of an access with another subject', ['leaf_entry'], entry(access, 'subject', OTHER_ID)],
  ['bound', 'the entry of an access with a sequence', ['leaf_entry'], entry(access, 'seq', 1)],
  ['bound', 'the entry of an access of another type', ['leaf_entry'], entry(access, 'type', 'evidence_registered')],
  ['bound', 'the entry of an asset with another id', ['leaf_entry'], entry(asset, 'id', OTHER_ID)],
  [
    'bound',
    'an access with the time of its record',
    ['leaf_entry'],
    {
      leaves: ({ bundle, entries }) => {
        const leaf = leafIn(bundle, access);
        setEntry(leaf, { ...readEntry(leaf), at: readEntry(bundle.record)['at'] ?? '' }, entries);
      },
    },
  ],
  [
    'bound',
    'an access without its leaf in the log',
    ['merkle_inclusion'],
    {
      after: ({ bundle, entries }) => {
        const leaf = leafIn(bundle, access);
        Object.assign(leaf.core, { source_ref_id: 'other' });
        setEntry(leaf, { ...readEntry(leaf), hash: hashCore('evidence_accessed', leaf.core) }, entries);
      },
    },
  ],
  [
    'bound-redacted',
    'an erasure left out',
    BINDING,
    shown(({ assets }) => assets.forEach((one) => (one.erasures = []))),
  ],
  ['bound-redacted', 'an erasure of other segments', BINDING, core(erasure, (own) => (own['segments'] = [0, 999]))],
  ['bound-redacted', 'an erasure by another event', BINDING, core(erasure, (own) => (own['event_id'] = OTHER_ID))],
  [
    'bound-redacted',
    'an erasure of another record',
    [],
    core(erasure, (own) => Object.assign(own, { answer_log_id: OTHER_ID, event_id: OTHER_ID })),
  ],
  [
    'bound-redacted',
    'an erasure of another asset',
    ['evidence_binding', 'leaf_entry'],
    core(erasure, (own) => (own['asset_id'] = OTHER_ID)),
  ],
  ['bound-redacted', 'an erasure whose entry is of another asset', ['leaf_entry'], entry(erasure, 'subject', OTHER_ID)],
  [
    'bound-redacted',
    'an erasure that is left out, which the log has',
    // Without what the event names, the sources are missing and not gone.
    ['evidence_binding', 'source_refs'],
    {
      before: ({ bundle }) => {
        // The event names nothing of it, so that the log alone shows what was erased.
        for (const event of bundle.events) delete event.core.payload.redact_source_ref_ids;
      },
      after: ({ bundle }) => evidenceIn(bundle).assets.forEach((one) => (one.erasures = [])),
    },
    true,
  ],
  ['bound-gone', 'an erasure before its asset', ['evidence_binding'], swap(of(asset), of(erasure))],
  ...(['evidence_expired', 'evidence_redacted'] as const).map((type): Row => [
    'bound-gone',
    `an erasure of the type ${type} with the core of another`,
    type === 'evidence_redacted' ? [] : BINDING,
    {
      leaves: ({ bundle, entries }) => {
        const leaf = leafIn(bundle, erasure);
        setEntry(leaf, { ...readEntry(leaf), type, hash: hashCore(type, leaf.core) }, entries);
      },
    },
  ]),
];

/** Entries about evidence, hashed and signed again, so that each rule about them stands alone. */
export function listEvidence(open: Open): readonly WholeCase[] {
  return ROWS.map(([name, id, fails, change, withLog]) => ({
    id: `evidence ${name}: ${id}`,
    given: give(reseal(open(name), change), withLog),
    expected: { fails },
  }));
}
