import type { BundleAnchor, PinnedAnchor, ProofBundle } from '@answer-evidence/contracts';
import { canonicalize } from '@answer-evidence/encoding';
import { type Change, createSuiteKey, type LooseEntry, reseal, type World } from '../reseal.ts';
import { ALL, give, type Open, type WholeCase } from './whole-case.ts';

const OTHER_ID = '01a20522-0000-7000-8000-000000000000';
const SALT = '0'.repeat(32);

/** What a case of a bundle expects: the checks that fail, or single outcomes. */
type Wanted = readonly string[] | typeof ALL | Readonly<Record<string, string>>;
type Part = readonly [name: string, bundle: string, wanted: Wanted, change: Change];

const after = (change: (world: World) => void): Change => ({ after: change });
const shown = (change: (bundle: ProofBundle) => void): Change => ({ after: ({ bundle }) => change(bundle) });

/** A version 2 of the bundle, which withholds its texts. */
function withhold(bundle: ProofBundle): void {
  Object.assign(bundle, { format: 'answer-evidence-bundle/v2', withheld: ['texts'] });
  Object.assign(bundle.record.disclosed, { question: null, answer: null });
  for (const { disclosed } of bundle.events) disclosed.corrected_text = null;
}

function nested(levels: number): Record<string, unknown> {
  let value: Record<string, unknown> = {};
  for (let n = 1; n < levels; n += 1) value = { a: value };
  return value;
}

/** How deep an item of `source_refs` stands in a bundle: in the bundle, record, disclosed, the list and its place. */
const ABOVE_ITEM = 5;

const policy = (url: string): ProofBundle['policy'] => ({
  checkpoint_interval_seconds: 10,
  anchor_interval_seconds: 3600,
  anchors_required: 0,
  witness_policy: 'quorum none\n',
  public_log: false,
  anchors: [{ id: 'tsa', type: 'rfc3161', url, certificate_pem: 'x', required: true }],
  version: 1,
  updated_at: null,
});

const PARTS: readonly Part[] = [
  // Texts that are withheld.
  ['texts withheld', 'plain', { question_commitment: 'SKIP', answer_commitment: 'SKIP' }, shown(withhold)],
  ['texts withheld that are gone', 'redacted', { question_commitment: 'NA', answer_commitment: 'NA' }, shown(withhold)],
  [
    'a text shown that is withheld',
    'plain',
    ['question_commitment'],
    shown((bundle) => {
      const { question } = bundle.record.disclosed;
      withhold(bundle);
      bundle.record.disclosed.question = question;
    }),
  ],
  ['texts withheld of version 1', 'plain', ALL, shown((bundle) => Object.assign(bundle, { withheld: ['texts'] }))],
  // Items.
  [
    'an item that is a list',
    'plain',
    ALL,
    shown(({ record }) => Object.assign(record.disclosed, { source_refs: [{ salt: SALT, item: [] }] })),
  ],
  [
    'a reason that is an object',
    'corrected',
    ALL,
    shown(({ events }) =>
      events.forEach(({ disclosed }) => Object.assign(disclosed, { reason: { salt: SALT, item: {} } })),
    ),
  ],
  [
    'a salt of 15 bytes',
    'plain',
    ALL,
    shown(({ record }) => Object.assign(record.disclosed, { source_refs: [{ salt: SALT.slice(2), item: {} }] })),
  ],
  ['references that are all gone', 'redacted', { semantic_refs: 'NA' }, {}],
  [
    '64 levels',
    'plain',
    { source_refs: 'FAIL', record_hash: 'PASS' },
    shown(({ record }) =>
      Object.assign(record.disclosed, { source_refs: [{ salt: SALT, item: nested(64 - ABOVE_ITEM) }] }),
    ),
  ],
  [
    '65 levels',
    'plain',
    ALL,
    shown(({ record }) =>
      Object.assign(record.disclosed, { source_refs: [{ salt: SALT, item: nested(65 - ABOVE_ITEM) }] }),
    ),
  ],
  // Entries and leaves.
  [
    'an entry of the record that cannot be read',
    'plain',
    { record_hash: 'FAIL', event_chain: 'FAIL', leaf_entry: 'FAIL', status_derivation: 'PASS' },
    shown(({ record }) => (record.entry = '{}')),
  ],
  ['a leaf hash that is no hash', 'plain', ['leaf_entry'], shown(({ record }) => (record.leaf_hash = 'x'))],
  [
    'an expiry of another record',
    'expired',
    { leaf_entry: 'FAIL', question_commitment: 'FAIL' },
    {
      leaves: ({ bundle, entries }) => {
        for (const leaf of bundle.attachments) {
          const own = { ...(JSON.parse(leaf.entry) as LooseEntry), subject: OTHER_ID };
          leaf.entry = canonicalize(own);
          entries[leaf.leaf_index] = leaf.entry;
        }
      },
    },
  ],
  // The checkpoint.
  [
    'a checkpoint of another origin',
    'plain',
    {
      event_completeness: 'FAIL',
      log_order: 'FAIL',
      merkle_inclusion: 'FAIL',
      checkpoint_signature: 'FAIL',
      witness_cosignatures: 'NA',
      external_anchor: 'NA',
      anchored: 'NA',
    },
    shown((bundle) => (bundle.origin = 'other.example/a/00000000')),
  ],
  [
    'a checkpoint that is not one',
    'plain',
    {
      event_completeness: 'FAIL',
      log_order: 'FAIL',
      merkle_inclusion: 'FAIL',
      checkpoint_signature: 'FAIL',
      witness_cosignatures: 'NA',
      external_anchor: 'NA',
      anchored: 'NA',
    },
    shown((bundle) => (bundle.checkpoint = 'x')),
  ],
  ['the keys of the log twice', 'plain', ['checkpoint_signature'], shown(({ log_keys: keys }) => keys.push(...keys))],
  [
    'the keys of the trust file twice',
    'plain',
    [],
    after(({ trust }) => trust.logs.forEach(({ keys }) => keys.push(...keys))),
  ],
  ['the log of the trust file twice', 'plain', [], after(({ trust }) => trust.logs.push(...trust.logs))],
  [
    'a key of another size, which is pinned',
    'plain',
    [],
    after(({ trust, bundle }) =>
      trust.logs.forEach(({ keys }) =>
        keys.push({ vkey: createSuiteKey(bundle.origin, 3).vkey, first_tree_size: 900, last_tree_size: null }),
      ),
    ),
  ],
  [
    'a key of the trust file that ends before',
    'plain',
    ['checkpoint_signature'],
    after(({ trust }) => trust.logs.forEach(({ keys }) => keys.forEach((key) => (key.last_tree_size = 78)))),
  ],
  [
    'a key of the trust file that ends at the size',
    'plain',
    [],
    after(({ trust }) => trust.logs.forEach(({ keys }) => keys.forEach((key) => (key.last_tree_size = 79)))),
  ],
  // The policy, which is for the reader.
  [
    'a policy with a URL of 2,000 units',
    'plain',
    { external_anchor: 'SKIP', anchored: 'SKIP' },
    shown((bundle) => (bundle.policy = policy('😀'.repeat(1000)))),
  ],
  [
    'a policy with a URL of 2,001 units',
    'plain',
    ALL,
    shown((bundle) => (bundle.policy = policy(`${'😀'.repeat(1000)}a`))),
  ],
];

type Anchoring = {
  readonly anchors?: readonly PinnedAnchor[];
  readonly shown?: readonly BundleAnchor[];
  readonly asks?: boolean;
  readonly roots?: readonly string[];
  readonly isUnsigned?: boolean;
};
const FILE: PinnedAnchor = { anchor_id: 'file', type: 'file', required: false, certificate_pem: null };
const BUCKET: PinnedAnchor = { anchor_id: 'bucket', type: 'object-lock', required: true, certificate_pem: null };
const ARTEFACT = { artefact: 'e30=' };

/** What is demanded and shown, and what `external_anchor` and `anchored` come to. */
const ANCHORINGS: readonly (readonly [name: string, Anchoring, external: string, anchored: string])[] = [
  ['nothing demanded and nothing shown', {}, 'NA', 'NA'],
  ['an empty list demanded', { anchors: [] }, 'NA', 'NA'],
  ['a file alone demanded', { anchors: [FILE] }, 'SKIP', 'NA'],
  ['a file alone demanded, without a signature of the log', { anchors: [FILE], isUnsigned: true }, 'SKIP', 'NA'],
  ['nothing pinned, and the policy asks for some', { asks: true }, 'SKIP', 'SKIP'],
  [
    'nothing pinned, and one shown',
    { shown: [{ anchor_id: 'bucket', type: 'object-lock', ...ARTEFACT }] },
    'SKIP',
    'SKIP',
  ],
  [
    'an empty list demanded, and one shown',
    { anchors: [], shown: [{ anchor_id: 'bucket', type: 'object-lock', ...ARTEFACT }] },
    'SKIP',
    'SKIP',
  ],
  ['a bucket demanded and nothing shown', { anchors: [BUCKET] }, 'SKIP', 'SKIP'],
  [
    'a bucket demanded and shown',
    { anchors: [BUCKET], shown: [{ anchor_id: 'bucket', type: 'object-lock', ...ARTEFACT }] },
    'SKIP',
    'SKIP',
  ],
  ['a bucket demanded, without a signature of the log', { anchors: [BUCKET], isUnsigned: true }, 'SKIP', 'FAIL'],
];

function anchor({ anchors, shown: given = [], asks = false, isUnsigned = false }: Anchoring): Change {
  return after(({ bundle, trust }) => {
    bundle.anchors = [...given];
    if (asks) bundle.policy = policy('https://tsa.example');
    if (anchors !== undefined) trust.anchors = [...anchors];
    if (isUnsigned) trust.logs.forEach((log) => (log.origin = 'other.example/a/00000000'));
  });
}

/** The parts of bundles whose form or meaning no other set has. */
export function listParts(open: Open): readonly WholeCase[] {
  const parts = PARTS.map(([name, bundle, wanted, change]): WholeCase => ({
    id: `part: ${name}`,
    given: give(reseal(open(bundle), change)),
    expected: wanted === ALL ? { fails: [ALL] } : isList(wanted) ? { fails: wanted } : { outcomes: wanted },
  }));
  const anchorings = ANCHORINGS.map(([name, given, external, anchored]): WholeCase => ({
    id: `anchoring: ${name}`,
    given: give(reseal(open('plain'), anchor(given))),
    expected: { outcomes: { external_anchor: external, anchored } },
  }));
  return [...parts, ...anchorings];
}

function isList(wanted: Wanted): wanted is readonly string[] {
  return Array.isArray(wanted);
}
