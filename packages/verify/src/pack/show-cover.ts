import { memberOf } from '@answer-evidence/encoding';
import {
  findLevels,
  markItems,
  markTexts,
  type Pack,
  type TextMark,
  type WordLanguage,
  WORDS,
} from '@answer-evidence/verify';
import { element, namedTable, table } from '../page/elements.ts';
import { PAGE_WORDS } from '../page/page-words.ts';
import { formatTime, showPlain } from '../page/plain-text.ts';
import { readTimeline } from '../page/read-timeline.ts';
import type { PackRecord } from './pack-record.ts';
import { PACK_WORDS } from './pack-words.ts';

/** The first page of a pack: who is involved, and of each record what may be said. */
export function showCover(pack: Pack, records: readonly PackRecord[], language: WordLanguage): readonly Node[] {
  const words = PACK_WORDS[language];
  const applications = [...new Set(records.map(({ bundle }) => nameApplication(bundle)))].filter((one) => one !== '');
  const { unknown } = PAGE_WORDS[language];
  const { manifest } = pack;
  const stated = (label: string, text: string | undefined) => (text === undefined ? [] : [[label, showPlain(text)]]);
  const rows = [
    ...stated(words.recipient, manifest?.recipient),
    ...stated(words.purpose, manifest?.purpose),
    [words.applications, applications.join(', ') || unknown],
    ...stated(words.operator, manifest?.operator),
    [words.log, manifest === undefined ? unknown : showPlain(manifest.origin)],
    [words.made, manifest === undefined ? unknown : formatTime(manifest.madeAt, language)],
  ];
  const list = namedTable(
    'contents',
    [words.number, words.application, words.texts, words.says],
    records.map((record) => [
      element('a', { href: `#record-${record.number}` }, String(record.number)),
      describeWhat(record, language),
      markAll(record, language),
      describeLevels(record, language),
    ]),
  );
  return [
    element('h2', {}, words.parties),
    table([PAGE_WORDS[language].what, PAGE_WORDS[language].value], rows),
    element('h2', {}, words.contents),
    list,
    element('p', {}, WORDS[language].never),
  ];
}

/** The application and the time of a record, for people. */
export function describeWhen(bundle: unknown, language: WordLanguage): string {
  const [first] = readTimeline(bundle);
  const at = first === undefined ? PAGE_WORDS[language].unknown : formatTime(first.at, language);
  return `${nameApplication(bundle) || PAGE_WORDS[language].unknown} · ${at}`;
}

function describeWhat({ bundle, id, verification }: PackRecord, language: WordLanguage): Node {
  if (verification === undefined) return document.createTextNode(PACK_WORDS[language].unreadable);
  return element(
    'div',
    {},
    describeWhen(bundle, language),
    ...(id === undefined ? [] : [element('div', { className: 'id' }, id)]),
  );
}

function nameApplication(bundle: unknown): string {
  const application = memberOf(memberOf(memberOf(bundle, 'record'), 'core'), 'application_key');
  return typeof application === 'string' ? showPlain(application) : '';
}

const WORST: readonly TextMark[] = ['differs', 'unchecked', 'matches'];

function markAll({ bundle, verification }: PackRecord, language: WordLanguage): Node {
  const { checks } = verification ?? { checks: [] };
  const { sources, reasons, facts } = markItems(bundle, checks);
  const texts = markTexts(bundle, checks).map(({ mark: one }) => one);
  // Sources and reasons have a word here only where they are others than those recorded.
  const others = [...sources, ...reasons.values(), facts].filter((one) => one === 'differs');
  const marks = verification === undefined ? [] : [...texts, ...others];
  const mark = WORST.find((one) => marks.includes(one));
  if (mark === undefined) return document.createTextNode('–');
  return element('span', { className: `mark ${mark}` }, WORDS[language].marks[mark]);
}

function describeLevels({ verification }: PackRecord, language: WordLanguage): string {
  const said = verification === undefined ? [] : findLevels(verification.checks);
  const names = said.flatMap(({ level, state }) => (state === 'said' ? [WORDS[language].levels[level].name] : []));
  return names.length === 0 ? PACK_WORDS[language].nothing : names.join(', ');
}
