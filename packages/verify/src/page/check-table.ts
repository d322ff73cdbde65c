import type { CheckResult, Outcome } from '@answer-evidence/contracts';
import { element, table } from './elements.ts';

/** A check of whatever is verified. */
export type ShownCheck = Omit<CheckResult, 'check'> & { readonly check: string };

/** Checks for people: what was found, and what it does not prove. */
export function showChecks(checks: readonly ShownCheck[]): HTMLElement {
  return table(
    ['Outcome', 'Check', 'What was found', 'What it does not prove'],
    checks.map((result) => [
      badge(result.outcome),
      element('code', { className: 'check' }, result.check),
      describe(result),
      result.does_not_prove,
    ]),
  );
}

/** An outcome as a mark. */
export function badge(outcome: Outcome): HTMLElement {
  return element('span', { className: `outcome ${outcome}` }, outcome);
}

function describe({ detail, compared }: ShownCheck): Node {
  if (compared === null) return document.createTextNode(detail);
  const { expected, actual } = compared;
  return element(
    'div',
    {},
    detail,
    element('code', {}, `expected ${expected}`),
    element('code', {}, `actual   ${actual}`),
  );
}
