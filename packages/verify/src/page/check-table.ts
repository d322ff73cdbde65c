import type { CheckResult, Outcome } from '@answer-evidence/contracts';
import { sayCheck, sayDetail, sortByUrgency, type WordLanguage, WORDS } from '@answer-evidence/verify';
import { element, table } from './elements.ts';
import { PAGE_WORDS } from './page-words.ts';

/** A check of whatever is verified. */
export type ShownCheck = Omit<CheckResult, 'check'> & {
  readonly check: string;
  /** What its reader has to know of it, in their language. */
  readonly note?: string;
};

/** Checks for people: those that fail first, what was found, and what it does not prove. */
export function showChecks(checks: readonly ShownCheck[], language: WordLanguage): HTMLElement {
  const words = PAGE_WORDS[language];
  return table(
    [words.outcome, words.check, words.found, words.notProved],
    sortByUrgency(checks).map((result) => {
      const named = findNamed(result.check, language);
      return [
        badge(result.outcome),
        element(
          'div',
          {},
          ...(named === undefined ? [] : [named.name]),
          element('code', { className: 'check' }, result.check),
        ),
        describe(result, language),
        sayCheck(result, language).does_not_prove,
      ];
    }),
  );
}

function findNamed(check: string, language: WordLanguage) {
  return Object.entries(WORDS[language].checks).find(([name]) => name === check)?.[1];
}

/** An outcome as a mark. */
export function badge(outcome: Outcome): HTMLElement {
  return element('span', { className: `outcome ${outcome}` }, outcome);
}

function describe(check: ShownCheck, language: WordLanguage): Node {
  const words = PAGE_WORDS[language];
  const { compared, note } = check;
  const found = element('span', {}, sayDetail(check.detail, language));
  if (note !== undefined) found.append(`. ${note}`);
  if (compared === null) return found;
  const { expected, actual } = compared;
  if (expected === actual)
    return element(
      'div',
      {},
      found,
      element('details', {}, element('summary', {}, words.showValue), element('code', {}, actual)),
    );
  return element(
    'div',
    {},
    found,
    element('code', {}, `${words.expected} ${expected}`),
    element('code', {}, `${words.actual} ${actual}`),
  );
}
