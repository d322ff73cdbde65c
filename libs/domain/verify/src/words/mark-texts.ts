import { commitKeyed, COMMITMENT_KEY_BYTES, commitPlain } from '@answer-evidence/commitments';
import { EncodingError, parseHex } from '@answer-evidence/encoding';
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
  const markBy = (names: readonly string[]): TextMark => {
    const own = names.map((name) => outcomes.get(name));
    if (own.includes('FAIL')) return 'differs';
    return own.every((outcome) => outcome === 'PASS') ? 'matches' : 'unchecked';
  };
  const disclosed = member(member(bundle, 'record'), 'disclosed');
  const corrections = items(bundle, 'events').map((event, n) => {
    const shown = member(member(event, 'disclosed'), 'corrected_text');
    const sequence = member(member(event, 'core'), 'sequence');
    // Of several corrections one check speaks: which of them is wrong is seen by its own hash.
    const names = isCommitted(shown, member(member(event, 'core'), 'corrected_answer')) ? OF_EVENTS : ['corrections'];
    const mark = outcomes.get('corrections') === 'PASS' ? markBy(OF_EVENTS) : markBy(names);
    return {
      what: 'correction',
      sequence: typeof sequence === 'number' ? sequence : n + 1,
      text: member(shown, 'text'),
      mark,
    } as const;
  });
  const texts = [
    ...(['question', 'answer'] as const).map((what) => ({
      what,
      sequence: undefined,
      text: member(member(disclosed, what), 'text'),
      mark: markBy([`${what}_commitment`, ...OF_RECORD]),
    })),
    ...corrections,
  ];
  return texts.flatMap(({ text, ...rest }) => (typeof text === 'string' ? [{ ...rest, text }] : []));
}

function isCommitted(disclosed: unknown, commitment: unknown): boolean {
  const [text, key, hash] = [member(disclosed, 'text'), member(disclosed, 'key'), member(commitment, 'hash')];
  if (typeof text !== 'string' || typeof hash !== 'string') return false;
  try {
    if (typeof key !== 'string') return commitPlain(text) === hash;
    return commitKeyed(parseHex(key, COMMITMENT_KEY_BYTES), 'answer', text) === hash;
  } catch (error) {
    if (error instanceof EncodingError) return false;
    throw error;
  }
}

function member(value: unknown, name: string): unknown {
  if (typeof value !== 'object' || value === null || !Object.hasOwn(value, name)) return undefined;
  return (value as Readonly<Record<string, unknown>>)[name];
}

function items(value: unknown, name: string): readonly unknown[] {
  const found = member(value, name);
  return Array.isArray(found) ? found : [];
}
