import { commitKeyed, COMMITMENT_KEY_BYTES, commitPlain, type CommittedField } from '@answer-evidence/commitments';
import type { CoreCommitment } from '@answer-evidence/contracts';
import { parseHex } from '@answer-evidence/encoding';
import type { BundleContext } from '../bundle-context.ts';
import { type Erasure, erasureOf, isExpired } from '../erasure.ts';
import { assertSame, CheckFailure, notApplicable, pass, skip, type Verdict, worstOf } from '../verdict.ts';

type DisclosedText = { readonly text: string; readonly key: string | null } | null;

/** The question's text against the record's commitment to it. */
export function checkQuestionCommitment(context: BundleContext): Verdict {
  const { core, disclosed } = context.bundle.record;
  return compareText('the question', 'question', core.question, disclosed.question, whyMissing(context));
}

/** The answer's text against the record's commitment to it. */
export function checkAnswerCommitment(context: BundleContext): Verdict {
  const { core, disclosed } = context.bundle.record;
  return compareText('the answer', 'answer', core.answer, disclosed.answer, whyMissing(context));
}

/** The text of every correction against its commitment, which is made as one to an answer. */
export function checkCorrections(context: BundleContext): Verdict {
  const { erasure, isWithheld } = whyMissing(context);
  const verdicts = context.bundle.events.flatMap(({ core, disclosed, leaf_index: at }): Verdict[] => {
    const name = `the corrected answer of event ${core.sequence}`;
    const isCorrection = core.event_type === 'correction_appended';
    if (core.corrected_answer === null) {
      if (disclosed.corrected_text !== null) throw new CheckFailure(`${name} is shown, but nothing commits to it`);
      return isCorrection ? [notApplicable(`event ${core.sequence} states no corrected answer`)] : [];
    }
    if (!isCorrection) throw new CheckFailure(`event ${core.sequence} corrects an answer but is not a correction`);
    return [compareText(name, 'answer', core.corrected_answer, disclosed.corrected_text, { erasure, isWithheld, at })];
  });
  return worstOf(verdicts, 'the record has no correction');
}

/** Why texts may be missing: what the log says is gone, or what the bundle says it withholds. */
type WhyMissing = {
  readonly erasure: Erasure;
  readonly isWithheld: boolean;
  /** Index of the leaf that the text came with. */
  readonly at: number;
};

function whyMissing(context: BundleContext, at = context.bundle.record.leaf_index): WhyMissing {
  return { erasure: erasureOf(context), isWithheld: context.bundle.format === 'answer-evidence-bundle/v2', at };
}

const ASK_FOR_TEXTS = 'this bundle was asked for without texts; a bundle with them decides this check';

function compareText(
  name: string,
  field: CommittedField,
  commitment: CoreCommitment,
  disclosed: DisclosedText,
  { erasure, isWithheld, at }: WhyMissing,
): Verdict {
  const gone = whyGone(commitment, erasure, at);
  if (disclosed === null) {
    if (gone === undefined && isWithheld) return skip(`the text of ${name} is withheld: ${ASK_FOR_TEXTS}`);
    if (gone === undefined) throw new CheckFailure(`the text of ${name} is missing, and no leaf explains why`);
    return notApplicable(`the text of ${name} is not available: ${gone}`);
  }
  if (gone !== undefined) throw new CheckFailure(`the text of ${name} is shown, although ${gone}`);
  if (isWithheld)
    throw new CheckFailure(`the text of ${name} is shown, although the bundle states that it withholds it`);
  const isKeyed = commitment.hash.startsWith('hmac-sha256:');
  if (isKeyed !== (commitment.hash_key_id !== null)) {
    throw new CheckFailure(`the commitment to ${name} contradicts itself on whether it is keyed`);
  }
  if (!isKeyed && disclosed.key !== null) throw new CheckFailure(`${name} has a key, but its commitment is not keyed`);
  // The service gives both or neither. A text without its key says nothing, and looks as if it did.
  if (isKeyed && disclosed.key === null)
    throw new CheckFailure(`${name} is shown without the key that its commitment needs`);
  const actual =
    disclosed.key === null
      ? commitPlain(disclosed.text)
      : commitKeyed(parseHex(disclosed.key, COMMITMENT_KEY_BYTES), field, disclosed.text);
  assertSame(`the commitment to ${name}`, commitment.hash, actual);
  return pass(`the text of ${name} matches its commitment`, { expected: commitment.hash, actual });
}

function whyGone(commitment: CoreCommitment, erasure: Erasure, leafIndex: number): string | undefined {
  if (commitment.text_state === 'discarded') return 'it was discarded after hashing, according to the core';
  if (commitment.text_state === 'not_submitted') return 'it was never submitted, according to the core';
  if (erasure.redacted) return 'an event of the record redacted it';
  if (isExpired(erasure, leafIndex)) return 'it expired, according to an entry of the log';
  return undefined;
}
