import type { Verification } from '@answer-evidence/contracts';
import { describeWindow, findLevels, groupChecks, type WordLanguage, WORDS } from '@answer-evidence/verify';
import { asChecks, asFields, type Block } from './output/blocks.ts';

/**
 * A verification for people: what it speaks of, what it comes to in words, then every check, or of a summary those that
 * are FAIL or SKIP. `pins` are the keys that it was made with.
 */
export function viewVerification(
  verification: Verification,
  pins: readonly string[] | undefined,
  isSummary: boolean | undefined,
  language: WordLanguage = 'en',
): readonly Block[] {
  const { checkpoint, status_as_of: asOf } = verification;
  const { stated, after, notLaterThan } = describeWindow(verification.sequenced);
  const fields = asFields([
    ['record', verification.answer_log_id],
    ['log', checkpoint?.origin ?? null],
    ['checkpoint', checkpoint === null ? null : `tree size ${checkpoint.tree_size}, root ${checkpoint.root_hash}`],
    ['anchoring', verification.anchoring],
    ['status as of', asOf === null ? null : `tree size ${asOf.tree_size}, ${asOf.at}`],
    ['recorded at', stated],
    ['sequenced after', after],
    ['and not later than', notLaterThan],
    ...(pins ?? []).map((pin) => ['pin used', pin] as const),
    ...(pins?.length === 0 ? [['pin used', 'none'] as const] : []),
  ]);
  return [fields, ...sayInWords(verification.checks, language), asChecks(verification.checks, isSummary, language)];
}

/** The five groups of checks, each with its sentence, and what may be said of the record. */
function sayInWords(checks: Verification['checks'], language: WordLanguage): readonly Block[] {
  const words = WORDS[language];
  const groups = groupChecks(checks).map(({ group, state }) => {
    const { name, [state]: sentence } = words.groups[group];
    return [name, `${words.states[state]}: ${sentence}`] as const;
  });
  const levels = findLevels(checks).map(({ level, state }) => {
    const { name, said, not_proved: limit } = words.levels[level];
    const more = state === 'said' ? `: ${said} ${limit}` : '';
    return [name, `${words.level_states[state]}${more}`] as const;
  });
  return [asFields(groups), { kind: 'line', text: `${words.may_be_said}:` }, asFields(levels)];
}
