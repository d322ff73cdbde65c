import { commitKeyed, COMMITMENT_KEY_BYTES, commitPlain, hashItem } from '@answer-evidence/commitments';
import type { JsonValue } from '@answer-evidence/contracts';
import { itemsOf, memberOf, parseHex, readOr } from '@answer-evidence/encoding';
import type { Decided } from './word-groups.ts';

/** What is known of a text: it is not what was recorded, it is, or nobody could tell. */
export type TextMark = 'differs' | 'matches' | 'unchecked';

/** A text that a bundle shows, with its mark. `sequence` is that of the event that corrected. */
export type MarkedText = {
  readonly what: 'question' | 'answer' | 'correction';
  readonly sequence: number | undefined;
  readonly text: string;
  readonly mark: TextMark;
};

/** From a record to a trusted signature: a text that agrees with a record outside of the log agrees with nothing. */
const OF_RECORD = ['record_hash', 'leaf_entry', 'merkle_inclusion', 'checkpoint_signature'];
const OF_EVENTS = ['event_chain', 'leaf_entry', 'merkle_inclusion', 'checkpoint_signature'];

/**
 * The texts that a bundle shows, whatever form it has, each with its mark by the checks that were made of it: no text
 * stands without one.
 */
export function markTexts(bundle: unknown, checks: readonly Decided[]): readonly MarkedText[] {
  const outcomes = new Map(checks.map(({ check, outcome }) => [check, outcome]));
  const markBy = createMarks(checks);
  const disclosed = memberOf(memberOf(bundle, 'record'), 'disclosed');
  const corrections = itemsOf(bundle, 'events').map((event, n) => {
    const shown = memberOf(memberOf(event, 'disclosed'), 'corrected_text');
    const sequence = memberOf(memberOf(event, 'core'), 'sequence');
    // Of several corrections one check speaks: which of them is wrong is seen by its own hash.
    const names = isCommitted(shown, memberOf(memberOf(event, 'core'), 'corrected_answer'))
      ? OF_EVENTS
      : ['corrections'];
    const mark = outcomes.get('corrections') === 'PASS' ? markBy(OF_EVENTS) : markBy(names);
    return {
      what: 'correction',
      sequence: typeof sequence === 'number' ? sequence : n + 1,
      text: memberOf(shown, 'text'),
      mark,
    } as const;
  });
  const texts = [
    ...(['question', 'answer'] as const).map((what) => ({
      what,
      sequence: undefined,
      text: memberOf(memberOf(disclosed, what), 'text'),
      mark: markBy([`${what}_commitment`, ...OF_RECORD]),
    })),
    ...corrections,
  ];
  return texts.flatMap(({ text, ...rest }) => (typeof text === 'string' ? [{ ...rest, text }] : []));
}

/** The marks of sources and reasons, of which several stand behind one check. */
export type MarkedItems = {
  /** In the order of the record; undefined for one that is not shown. */
  readonly sources: readonly (TextMark | undefined)[];
  /** By the sequence of the event. */
  readonly reasons: ReadonlyMap<unknown, TextMark>;
  /** Of what stands in the cores themselves: the application, the times, who did it. */
  readonly facts: TextMark;
};

/** The marks of what a bundle shows besides its texts: each by its own hash, and by the checks of what has that. */
export function markItems(bundle: unknown, checks: readonly Decided[]): MarkedItems {
  const markBy = createMarks(checks);
  const markOne = (item: unknown, hash: unknown, names: readonly string[]): TextMark =>
    isItemOf(item, hash) ? markBy(names) : 'differs';
  const shown = itemsOf(memberOf(memberOf(bundle, 'record'), 'disclosed'), 'source_refs');
  const refs = itemsOf(memberOf(memberOf(bundle, 'record'), 'core'), 'source_refs');
  const reasons = itemsOf(bundle, 'events').flatMap((event) => {
    const [core, reason] = [memberOf(event, 'core'), memberOf(memberOf(event, 'disclosed'), 'reason')];
    if (reason === null || reason === undefined) return [];
    // The check of the chain reads each reason, too: which of them is wrong is seen by its own hash.
    const names = OF_EVENTS.filter((name) => name !== 'event_chain');
    return [[memberOf(core, 'sequence'), markOne(reason, memberOf(core, 'reason_hash'), names)] as const];
  });
  // An altered reason breaks the chain, too, and is marked by itself.
  const isOfChain = itemsOf(bundle, 'events').length > 0 && reasons.every(([, mark]) => mark !== 'differs');
  return {
    sources: refs.map((ref, n) => {
      const item = shown[n];
      return item === null || item === undefined ? undefined : markOne(item, memberOf(ref, 'hash'), OF_RECORD);
    }),
    reasons: new Map(reasons),
    facts: markBy([...OF_RECORD, ...(isOfChain ? ['event_chain'] : [])]),
  };
}

function createMarks(checks: readonly Decided[]): (names: readonly string[]) => TextMark {
  const outcomes = new Map(checks.map(({ check, outcome }) => [check, outcome]));
  return (names) => {
    const own = names.map((name) => outcomes.get(name));
    if (own.includes('FAIL')) return 'differs';
    return own.every((outcome) => outcome === 'PASS') ? 'matches' : 'unchecked';
  };
}

function isItemOf(disclosed: unknown, hash: unknown): boolean {
  const salt = memberOf(disclosed, 'salt');
  if (typeof salt !== 'string' || typeof hash !== 'string') return false;
  try {
    return hashItem(salt, memberOf(disclosed, 'item') as JsonValue) === hash;
  } catch {
    // What has no hash has not this one: half a character, a number that JSON does not have, a salt of another form.
    return false;
  }
}

function isCommitted(disclosed: unknown, commitment: unknown): boolean {
  const [text, key, hash] = [memberOf(disclosed, 'text'), memberOf(disclosed, 'key'), memberOf(commitment, 'hash')];
  if (typeof text !== 'string' || typeof hash !== 'string') return false;
  const commit = () =>
    typeof key === 'string' ? commitKeyed(parseHex(key, COMMITMENT_KEY_BYTES), 'answer', text) : commitPlain(text);
  return readOr(commit, undefined) === hash;
}
