import { CHECKS, type Outcome } from '@answer-evidence/contracts';
import { memberOf } from '@answer-evidence/encoding';
import { sayDetail, type WordLanguage, WORDS } from '@answer-evidence/verify';
import { badge } from '../page/check-table.ts';
import { element, namedTable } from '../page/elements.ts';
import { PAGE_WORDS } from '../page/page-words.ts';
import { drawQrCode } from './draw-qr-code.ts';
import type { PackRecord } from './pack-record.ts';
import { PACK_WORDS } from './pack-words.ts';

/** What is the same for all records, once: the checks and their limits, the outcomes, the findings, the checkpoints. */
export function showAppendix(records: readonly PackRecord[], language: WordLanguage): readonly Node[] {
  const words = PACK_WORDS[language];
  const verified = records.filter(({ verification }) => verification !== undefined);
  if (verified.length === 0) return [];
  return [
    element('h2', {}, words.appendix),
    element('h3', {}, words.theChecks),
    showNames(language),
    element('h3', {}, words.outcomes),
    element('p', {}, `${words.legend} ${WORDS[language].no_verdict}`),
    showOutcomes(records, language),
    element('h3', {}, words.findings),
    showFindings(records, language),
    element('h3', {}, words.checkpoints),
    ...showCheckpoints(verified, language),
  ];
}

function showNames(language: WordLanguage): HTMLElement {
  const { check, notProved } = PAGE_WORDS[language];
  const names = namedTable(
    'names',
    [PACK_WORDS[language].number, check, notProved],
    CHECKS.map((name, n) => {
      const words = WORDS[language].checks[name];
      return [String(n + 1), element('div', {}, words.name, element('code', {}, name)), words.not_proved];
    }),
  );
  return names;
}

const LETTERS: Readonly<Record<Outcome, string>> = { PASS: 'P', FAIL: 'F', SKIP: 'S', NA: '–' };

function showOutcomes(records: readonly PackRecord[], language: WordLanguage): HTMLElement {
  const outcomes = namedTable(
    'outcomes',
    [PACK_WORDS[language].number, ...CHECKS.map((_, n) => String(n + 1))],
    records.map(({ number, verification }) => [
      String(number),
      ...CHECKS.map((name) => {
        const outcome = verification?.checks.find(({ check }) => check === name)?.outcome;
        if (outcome === undefined) return '';
        return outcome === 'FAIL' ? element('strong', {}, LETTERS.FAIL) : LETTERS[outcome];
      }),
    ]),
  );
  const legend = (Object.keys(LETTERS) as Outcome[]).map(
    (outcome) => `${LETTERS[outcome]} ${outcome}: ${WORDS[language].outcomes[outcome]}`,
  );
  return element('div', {}, element('p', {}, `${legend.join('; ')}.`), outcomes);
}

/** Each finding once, with the records that it was made of. */
function showFindings(records: readonly PackRecord[], language: WordLanguage): HTMLElement {
  const findings = new Map<string, { check: string; outcome: Outcome; detail: string; numbers: number[] }>();
  for (const { number, verification } of records) {
    for (const { check, outcome, detail } of verification?.checks ?? []) {
      if (outcome === 'PASS') continue;
      const known = findings.get(`${check} ${outcome} ${detail}`);
      if (known === undefined)
        findings.set(`${check} ${outcome} ${detail}`, { check, outcome, detail, numbers: [number] });
      else known.numbers.push(number);
    }
  }
  const order: readonly Outcome[] = ['FAIL', 'SKIP', 'NA'];
  const { outcome: title, check, found } = PAGE_WORDS[language];
  const shown = namedTable(
    'findings',
    [title, check, found, PACK_WORDS[language].records],
    [...findings.values()]
      .toSorted((a, b) => order.indexOf(a.outcome) - order.indexOf(b.outcome))
      .map(({ check: name, outcome, detail, numbers }) => [
        badge(outcome),
        WORDS[language].checks[name as keyof (typeof WORDS)['en']['checks']].name,
        sayDetail(detail, language),
        formatNumbers(numbers),
      ]),
  );
  return shown;
}

/** Numbers in ascending order, with runs of them drawn together. */
export function formatNumbers(numbers: readonly number[]): string {
  const runs: [number, number][] = [];
  for (const number of numbers) {
    const last = runs.at(-1);
    if (last !== undefined && last[1] + 1 === number) last[1] = number;
    else runs.push([number, number]);
  }
  return runs.map(([first, last]) => (first === last ? String(first) : `${first}–${last}`)).join(', ');
}

/** Each checkpoint once: its name, size and hash, to compare with another copy on paper or by a camera. */
function showCheckpoints(records: readonly PackRecord[], language: WordLanguage): readonly Node[] {
  const words = PACK_WORDS[language];
  const byHash = new Map<string, number[]>();
  for (const { number, bundle } of records) {
    const note = memberOf(bundle, 'checkpoint');
    if (typeof note !== 'string') continue;
    const hash = note.split('\n').slice(0, 3).join('\n');
    // More is not a checkpoint of any log, and would not fit into a code.
    if (hash.length > 1_000) continue;
    byHash.set(hash, [...(byHash.get(hash) ?? []), number]);
  }
  return [...byHash].map(([hash, numbers]) =>
    element(
      'figure',
      { className: 'checkpoint' },
      drawQrCode(hash, words.qr),
      element(
        'figcaption',
        {},
        words.checkpoint,
        element('code', {}, hash),
        `${words.records}: ${formatNumbers(numbers)}`,
      ),
    ),
  );
}
