import type { Outcome } from '@answer-evidence/contracts';
import { findHolding, type MarkedText, markTexts, type WordLanguage, WORDS } from '@answer-evidence/verify';
import { element } from './elements.ts';
import { explainMissing } from './explain-missing.ts';
import { fill, PAGE_WORDS } from './page-words.ts';
import { readTimeline } from './read-timeline.ts';

type Shown = {
  readonly checks: readonly { readonly check: string; readonly outcome: Outcome }[];
  readonly language: WordLanguage;
  /** Whether the keys are those that the evidence brought. */
  readonly isByOwnKeys: boolean;
};

/** The texts of a bundle, what was asked and what holds first, each with its mark: none of them stands alone. */
export function showTexts(bundle: unknown, { checks, language, isByOwnKeys }: Shown): readonly Node[] {
  const words = PAGE_WORDS[language];
  const texts = markTexts(bundle, checks);
  const missing = explainMissing(bundle, language).map((sentence) => element('p', {}, sentence));
  if (texts.length === 0) return missing.length === 0 ? [element('p', {}, words.noTexts)] : missing;
  const holding = findHolding(readTimeline(bundle));
  const last = texts.findLast(({ what }) => what === 'correction');
  const isFirst = (text: MarkedText) => text.what === 'question' || (holding === 'correction' && text === last);
  const ordered = [...texts.filter(isFirst), ...texts.filter((text) => !isFirst(text))];
  const shown = ordered.map((text) => {
    const { what, sequence, mark } = text;
    const name = what === 'correction' ? fill(words.correction, { n: sequence ?? '?' }) : words[what];
    const isReplaced = holding === 'correction' && (what === 'answer' || (what === 'correction' && text !== last));
    const standing = what === 'question' ? '' : holding === 'none' ? words.noneHolds : isReplaced ? words.replaced : '';
    return element(
      'figure',
      { className: `text ${mark}` },
      element(
        'figcaption',
        {},
        element('strong', {}, name),
        ' ',
        element('span', { className: `mark ${mark}` }, say(text, language, isByOwnKeys)),
        ...(standing === '' ? [] : [element('span', { className: 'standing' }, standing)]),
      ),
      element('blockquote', { dir: 'auto' }, text.text),
    );
  });
  return [...missing, ...shown];
}

function say({ mark }: MarkedText, language: WordLanguage, isByOwnKeys: boolean): string {
  const said = WORDS[language].marks[mark];
  return mark === 'matches' && isByOwnKeys ? `${said}, ${PAGE_WORDS[language].byOwnKeys}` : said;
}
