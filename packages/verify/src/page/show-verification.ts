import type { CheckResult, Outcome } from '@answer-evidence/contracts';
import { type BundleVerification, describeWindow } from '@answer-evidence/verify';
import { badge, showChecks } from './check-table.ts';
import { element, table } from './elements.ts';
import { readTexts, readTimeline } from './read-timeline.ts';

const OUTCOMES: readonly (readonly [Outcome, string])[] = [
  ['FAIL', 'computed here, and it does not agree'],
  ['PASS', 'computed here, and it agrees'],
  ['SKIP', 'applies, and what was given does not decide it'],
  ['NA', 'does not apply to this record'],
];

/** The whole result of a verification, for people to read and to print. */
export function showVerification(verification: BundleVerification, bundle: unknown): readonly Node[] {
  const { answer_log_id: id, checkpoint, anchoring, status_as_of: asOf, checks, pins } = verification;
  const { stated, after, notLaterThan } = describeWindow(verification.sequenced);
  return [
    element('h2', {}, 'Result'),
    element('p', {}, 'There is one outcome for each check, and no verdict over all of them.'),
    countOutcomes(checks),
    table(
      ['What', 'Value'],
      [
        ['Record', id],
        ['Log', checkpoint?.origin ?? 'none'],
        [
          'Checkpoint',
          checkpoint === null ? 'none' : `tree size ${checkpoint.tree_size}, root ${checkpoint.root_hash}`,
        ],
        ['Anchoring', anchoring],
        ['Status as of', asOf === null ? 'unknown' : `tree size ${asOf.tree_size}, ${asOf.at}`],
        ['Recorded at', stated],
        ['In the log after', after],
        ['In the log not later than', notLaterThan],
        ['Keys whose signatures were found good', pins.length === 0 ? 'none' : pins.join('\n')],
      ],
    ),
    element('h2', {}, 'Checks'),
    showChecks(checks),
    element('h2', {}, 'What the bundle states'),
    element('p', {}, 'The checks above say which of it was proved.'),
    table(
      ['Time in the log', 'What', 'By', 'Leaf'],
      readTimeline(bundle).map(({ at, what, by, leaf }) => [at, what, by, leaf]),
    ),
    ...readTexts(bundle).map(([name, text]) =>
      element('figure', {}, element('figcaption', {}, name), element('blockquote', {}, text)),
    ),
  ];
}

function countOutcomes(checks: readonly CheckResult[]): HTMLElement {
  return table(
    ['Outcome', 'Checks', 'Meaning'],
    OUTCOMES.map(([outcome, meaning]) => [
      badge(outcome),
      String(checks.filter((check) => check.outcome === outcome).length),
      meaning,
    ]),
  );
}
