import { hashCore } from '@answer-evidence/commitments';
import type { ProofBundle } from '@answer-evidence/contracts';
import { type Change, createWitness, type Leaf, type LooseEntry, readEntry, reseal, setEntry } from '../reseal.ts';
import { ALL, give, type Open, type WholeCase } from './whole-case.ts';

const OTHER_ID = '01a20522-0000-7000-8000-000000000000';
/** A change of a bundle by its name, and the checks that fail for it. */
type Meaning = readonly [bundle: string, name: string, fails: readonly string[] | typeof ALL, change: Change];

type RecordCore = ProofBundle['record']['core'];
type EventCore = ProofBundle['events'][number]['core'];
const core = (change: (core: RecordCore) => void): Change => ({ before: ({ bundle }) => change(bundle.record.core) });
const eventCore = (change: (core: EventCore) => void, n = 0): Change => ({
  leaves: ({ bundle, entries }) => {
    const event = eventOf(bundle, n);
    change(event.core);
    // The rule is alone: what follows it is hashed again.
    rehash(event, entries);
  },
});
const entry = (
  change: (entry: LooseEntry) => void,
  leafOf: (bundle: ProofBundle) => Leaf | undefined = (bundle) => bundle.record,
): Change => ({
  leaves: ({ bundle, entries }) => {
    const leaf = leafOf(bundle);
    if (leaf === undefined) throw new Error('the bundle has no such leaf');
    const changed = readEntry(leaf);
    change(changed);
    setEntry(leaf, changed, entries);
  },
});
const first = (bundle: ProofBundle) => eventOf(bundle);

function setAnswer({ record }: ProofBundle, change: (text: string) => string): void {
  const { answer } = record.disclosed;
  if (answer === null) throw new Error('the bundle shows no answer');
  answer.text = change(answer.text);
}

function hideCorrection({ events }: ProofBundle): void {
  const corrected = events.find(({ disclosed }) => disclosed.corrected_text !== null);
  if (corrected === undefined) throw new Error('the bundle shows no corrected text');
  corrected.disclosed.corrected_text = null;
}

/** An event of a bundle, from 0. */
function eventOf(bundle: ProofBundle, n = 0): ProofBundle['events'][number] {
  const event = bundle.events[n];
  if (event === undefined) throw new Error('the bundle has no such event');
  return event;
}

function rehash(leaf: Leaf, entries: string[]): void {
  setEntry(leaf, { ...readEntry(leaf), hash: hashCore('lifecycle_event', leaf.core) }, entries);
}

const MEANINGS: readonly Meaning[] = [
  ...['plain', 'corrected', 'redacted', 'voided', 'keyed', 'linked'].map((name): Meaning => [
    name,
    'unchanged',
    [],
    {},
  ]),
  ['expired', 'texts that expire before their time', ['leaf_entry'], {}],
  ['plain', 'another mode', [], core((own) => (own.mode = 'other'))],
  ['plain', 'another application', [], core((own) => (own.application_key = 'other'))],
  ['plain', 'a settings version of 0', ALL, core((own) => (own.settings_version = 0))],
  ['plain', 'a text state that is not one', ALL, core((own) => (own.answer.text_state = 'lost' as 'stored'))],
  [
    'plain',
    'an answer that is said to be discarded',
    ['answer_commitment'],
    core((own) => (own.answer.text_state = 'discarded')),
  ],
  [
    'plain',
    'an answer that is said to be keyed',
    ['answer_commitment'],
    core((own) => (own.answer.hash = `hmac-${own.answer.hash}`)),
  ],
  [
    'plain',
    'a plain commitment with the id of a key',
    ['answer_commitment'],
    core((own) => (own.answer.hash_key_id = 'key-1')),
  ],
  [
    'plain',
    'the commitment to another question',
    ['question_commitment'],
    core((own) => (own.question.hash = own.answer.hash)),
  ],
  ['plain', 'another answer shown', ['answer_commitment'], { after: ({ bundle }) => setAnswer(bundle, () => 'no') }],
  [
    'plain',
    'an answer in another form of Unicode',
    ['answer_commitment'],
    { after: ({ bundle }) => setAnswer(bundle, (text) => `${text}\u0301`) },
  ],
  [
    'plain',
    'a source that is committed to and not shown',
    ['source_refs'],
    core((own) => own.source_refs.push({ source_ref_id: 's', hash: `sha256:${'0'.repeat(64)}` })),
  ],
  [
    'plain',
    'a reference that is committed to and not shown',
    ['semantic_refs'],
    core((own) => own.semantic_refs.push(`sha256:${'0'.repeat(64)}`)),
  ],
  ['plain', 'the entry of another type', ['leaf_entry'], entry((own) => (own.type = 'lifecycle_event'))],
  ['plain', 'the entry with another subject', ['leaf_entry'], entry((own) => (own.subject = OTHER_ID))],
  ['plain', 'the entry with another id', ['leaf_entry'], entry((own) => (own.id = OTHER_ID))],
  ['plain', 'the entry with a sequence', ['leaf_entry'], entry((own) => (own.seq = 1))],
  [
    'plain',
    'another leaf hash stated',
    ['leaf_entry'],
    { after: ({ bundle }) => (bundle.record.leaf_hash = '0'.repeat(64)) },
  ],
  ['plain', 'another index stated', ['merkle_inclusion'], { after: ({ bundle }) => (bundle.record.leaf_index += 1) }],
  [
    'plain',
    'a text shown without its key',
    ['answer_commitment'],
    {
      before: ({ bundle }) =>
        (bundle.record.core.answer = {
          ...bundle.record.core.answer,
          hash: `hmac-sha256:${'0'.repeat(64)}`,
          hash_key_id: 'k',
        }),
    },
  ],
  ['plain', 'another status', ['status_derivation'], { after: ({ bundle }) => (bundle.status = 'voided') }],
  [
    'plain',
    'a key of the log that is not pinned',
    ['checkpoint_signature'],
    {
      after: ({ bundle }) =>
        bundle.log_keys.push({ vkey: createWitness(1).vkey, first_tree_size: 0, last_tree_size: null }),
    },
  ],
  [
    'corrected',
    'a sequence that leaves one out',
    ['event_chain', 'leaf_entry'],
    eventCore((own) => (own.sequence = 2)),
  ],
  ['corrected', 'an event of another record', ['event_chain'], eventCore((own) => (own.answer_log_id = OTHER_ID))],
  [
    'corrected',
    'an event that follows another',
    ['event_chain'],
    eventCore((own) => (own.prev_event_hash = `sha256:${'0'.repeat(64)}`)),
  ],
  [
    'corrected',
    'an entry of an event with another sequence',
    ['event_chain', 'leaf_entry'],
    entry((own) => (own.seq = 3), first),
  ],
  [
    'corrected',
    'an entry of an event with another subject',
    ['event_chain', 'leaf_entry'],
    entry((own) => (own.subject = OTHER_ID), first),
  ],
  [
    'corrected',
    'an entry of an event with another id',
    ['event_chain', 'leaf_entry'],
    entry((own) => (own.id = OTHER_ID), first),
  ],
  [
    'corrected',
    'an event of another type of entry',
    ['leaf_entry'],
    entry((own) => (own.type = 'text_expired'), first),
  ],
  ['corrected', 'the last event left out', [], { after: ({ bundle }) => bundle.events.pop() }],
  [
    'corrected',
    'a correction without its text',
    ['corrections'],
    {
      after: ({ bundle }) => hideCorrection(bundle),
    },
  ],
  [
    'corrected',
    'another reason',
    ['event_chain'],
    { after: ({ bundle }) => (eventOf(bundle).disclosed.reason = { salt: '0'.repeat(32), item: 'x' }) },
  ],
  [
    'redacted',
    'a text of a redacted record shown',
    ['answer_commitment'],
    { after: ({ bundle }) => (bundle.record.disclosed.answer = { text: 'x', key: null }) },
  ],
  ['redacted', 'said to be recorded', ['status_derivation'], { after: ({ bundle }) => (bundle.status = 'recorded') }],
  [
    'voided',
    'a void that is a correction',
    ['status_derivation'],
    eventCore((own) => (own.event_type = 'correction_appended')),
  ],
  [
    'voided',
    'the status of the record alone',
    ['status_derivation'],
    { after: ({ bundle }) => (bundle.status = 'recorded') },
  ],
];

/** Bundles of which one meaning is changed, and everything hashed and signed again. */
export function listMeanings(open: Open): readonly WholeCase[] {
  return MEANINGS.map(([name, what, fails, change]) => ({
    id: `resealed ${name}: ${what}`,
    given: give(reseal(open(name), change)),
    expected: { fails: fails === ALL ? [ALL] : fails },
  }));
}
