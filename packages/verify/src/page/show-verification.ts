import type { Outcome, Voucher } from '@answer-evidence/contracts';
import { memberOf } from '@answer-evidence/encoding';
import {
  type BundleVerification,
  findLevels,
  groupChecks,
  type MarkedItems,
  markItems,
  readHolds,
  tellHolds,
  tellStory,
  type TextMark,
  type Vouching,
  type WordLanguage,
  WORDS,
} from '@answer-evidence/verify';
import { badge, showChecks, type ShownCheck } from './check-table.ts';
import { element, namedTable, table } from './elements.ts';
import { nameEvent } from './name-event.ts';
import { fill, PAGE_WORDS, type PageWords } from './page-words.ts';
import { formatTime, showPlain } from './plain-text.ts';
import { readSources, readSteps, readTimeline } from './read-timeline.ts';
import { showTexts } from './show-texts.ts';

/** How a record is shown. */
export type Showing = {
  readonly language: WordLanguage;
  /** Whether the keys are those that the evidence brought. */
  readonly isByOwnKeys?: boolean;
};

/** The whole result of a verification, for people to read and to print: the texts first, the checks last. */
export function showVerification(
  verification: BundleVerification,
  bundle: unknown,
  { language, isByOwnKeys = false }: Showing,
): readonly Node[] {
  const { checks } = verification;
  const words = PAGE_WORDS[language];
  const marked = markItems(bundle, checks);
  return [
    element(
      'p',
      { className: 'story' },
      describeRecord(bundle, checks, language),
      ...markUnlike(marked.facts, language),
    ),
    ...showTexts(bundle, { checks, language, isByOwnKeys }),
    ...showSources(bundle, marked, language),
    ...showGroups(checks, language),
    ...showLevels(checks, language),
    element('h3', {}, words.history),
    namedTable(
      'history',
      [words.time, words.what, words.by, words.leaf],
      readTimeline(bundle).map(({ at, type, by, sequence, reason, leaf }) => [
        formatTime(at, language).replace(/ UTC$/, ''),
        element(
          'div',
          {},
          nameEvent(type, language),
          ...(reason === undefined ? [] : [element('div', { className: 'reason', dir: 'auto' }, reason)]),
          ...(reason === undefined ? [] : markUnlike(marked.reasons.get(sequence), language)),
        ),
        by,
        leaf,
      ]),
    ),
    showHolds(bundle, language),
    element(
      'div',
      { className: 'technical' },
      element('h3', {}, words.details),
      showFacts(verification, words),
      element('h3', {}, words.checks),
      element('p', {}, WORDS[language].no_verdict),
      countOutcomes(checks, language),
      showChecks(checks, language),
    ),
  ];
}

/** What happened to the record of a bundle and who vouches for it, in a few words. */
export function describeRecord(bundle: unknown, checks: readonly ShownCheck[], language: WordLanguage): string {
  const core = memberOf(memberOf(bundle, 'record'), 'core');
  const application = memberOf(core, 'application_key');
  const [first] = readTimeline(bundle);
  return tellStory(
    {
      application: typeof application === 'string' ? showPlain(application) : PAGE_WORDS[language].unknown,
      at: first === undefined ? PAGE_WORDS[language].unknown : formatTime(first.at, language),
      steps: readSteps(bundle, language, markItems(bundle, checks).reasons),
      vouching: findVouching(checks),
    },
    language,
  );
}

function findVouching(checks: readonly ShownCheck[]): Vouching {
  const isSaid = (level: string) => findLevels(checks).find((one) => one.level === level)?.state === 'said';
  return { witnessed: isSaid('witnessed'), anchored: isSaid('anchored') };
}

/** A mark beside what is not the recorded text; what is needs none. */
function markUnlike(mark: TextMark | undefined, language: WordLanguage): readonly (Node | string)[] {
  if (mark !== 'differs') return [];
  return [' ', element('span', { className: `mark ${mark}` }, WORDS[language].marks[mark])];
}

function showSources(bundle: unknown, { sources: marks }: MarkedItems, language: WordLanguage): readonly Node[] {
  const words = PAGE_WORDS[language];
  const sources = readSources(bundle);
  if (sources.length === 0) return [];
  return [
    element('h3', {}, words.sources),
    element(
      'ul',
      { className: 'sources' },
      ...sources.map(({ name, isGone }, n) =>
        element(
          'li',
          {},
          element('bdi', {}, isGone ? `${showPlain(name)} (${words.erased})` : showPlain(name)),
          ...markUnlike(marks[n], language),
        ),
      ),
    ),
  ];
}

/** The five groups of checks, each with a sentence; what fails comes first. */
export function showGroups(checks: readonly ShownCheck[], language: WordLanguage): readonly Node[] {
  const { about, state: result, meaning, verified } = PAGE_WORDS[language];
  const { groups, states } = WORDS[language];
  const shown = namedTable(
    'groups',
    [about, result, meaning],
    groupChecks(checks).map(({ group, state }) => [
      groups[group].name,
      element('span', { className: `state ${state}` }, states[state]),
      groups[group][state],
    ]),
  );
  return [element('h3', {}, verified), shown];
}

/** What may be said of the record, level by level, and what that does not prove. */
function showLevels(checks: readonly ShownCheck[], language: WordLanguage): readonly Node[] {
  const words = PAGE_WORDS[language];
  const { levels, level_states: states, may_be_said: title, never } = WORDS[language];
  const shown = namedTable(
    'levels',
    [words.level, words.state, words.mayBeSaid, words.notProved],
    findLevels(checks).map(({ level, state }) => [
      levels[level].name,
      element('span', { className: `level ${state}` }, states[state]),
      state === 'said' ? levels[level].said : '–',
      state === 'said' ? levels[level].not_proved : '–',
    ]),
  );
  return [element('h3', {}, title), shown, element('p', {}, never)];
}

/** For which matters the record is or was on hold, or that the file does not say. */
function showHolds(bundle: unknown, language: WordLanguage): HTMLElement {
  const time = (at: string) => formatTime(at, language);
  const holds = tellHolds(readHolds(bundle), language, { text: showPlain, time }).join('; ');
  return element('p', { className: 'on-hold', dir: 'auto' }, fill(PAGE_WORDS[language].onHold, { holds }));
}

function showFacts(verification: BundleVerification, words: PageWords): HTMLElement {
  const { answer_log_id: id, checkpoint, anchoring, status_as_of: asOf, sequenced, pins } = verification;
  return table(
    [words.what, words.value],
    [
      [words.record, id],
      [words.log, checkpoint?.origin ?? words.none],
      [
        words.checkpoint,
        checkpoint === null
          ? words.none
          : fill(words.checkpointOf, { n: checkpoint.tree_size, root: checkpoint.root_hash }),
      ],
      [words.anchoring, anchoring],
      [words.asOf, asOf === null ? words.unknown : fill(words.asOfTree, { n: asOf.tree_size, at: asOf.at })],
      [words.recordedAt, sequenced.stated === null ? words.unknown : `${sequenced.stated}, ${words.operatorsWord}`],
      [words.after, describeEnd(sequenced.after, sequenced.after_by, words)],
      [words.notLater, describeEnd(sequenced.not_later_than, sequenced.not_later_than_by, words)],
      [words.goodKeys, pins.length === 0 ? words.none : pins.join('\n')],
    ],
  );
}

function describeEnd(at: string | null, by: readonly Voucher[], words: PageWords): string {
  if (at === null) return `- (${words.nobodyVouches})`;
  if (by.length === 0) return `${at} (${words.operatorsWord})`;
  return `${at} (${by.map(({ kind, name }) => `${kind} ${name}`).join(', ')})`;
}

const OUTCOMES: readonly Outcome[] = ['FAIL', 'SKIP', 'PASS', 'NA'];

/** How many checks came to what; what none came to is not told. */
function countOutcomes(checks: readonly ShownCheck[], language: WordLanguage): HTMLElement {
  const counted = OUTCOMES.flatMap((outcome) => {
    const count = checks.filter((check) => check.outcome === outcome).length;
    return count === 0 ? [] : [{ outcome, count }];
  });
  return element(
    'ul',
    { className: 'counts' },
    ...counted.map(({ outcome, count }) =>
      element('li', {}, badge(outcome), ` ${count} · ${WORDS[language].outcomes[outcome]}`),
    ),
  );
}
