import { Link } from '@tanstack/react-router';
import { useTranslation } from 'react-i18next';
import type { SearchReading, SearchResult, WordSearch } from '@answer-evidence/contracts';
import { PlainText } from '../components/plain-text.tsx';
import { useSession } from '../session/session-context.tsx';

type Props = { readonly result: SearchResult | undefined; readonly isBusy: boolean; readonly error: unknown };

/** How a text was understood, and what is wrong where there is nothing. */
export function SearchSaid({ result, isBusy, error }: Props) {
  const { t } = useTranslation();
  if (isBusy) return t('search.busy');
  if (error !== null && error !== undefined) return error instanceof Error ? <PlainText text={error.message} /> : null;
  if (result === undefined) return null;
  const found = result.understood.filter(({ total }) => total > 0);
  return (
    <>
      {found.length === 0
        ? t('search.nothing')
        : t('search.understood', { meanings: found.map((reading) => describe(reading)).join('; ') })}
      {result.not_understood !== null && result.words?.state !== 'needs_reason' && (
        <>
          {' '}
          {t(result.words?.state === 'searched' ? 'search.words.none' : 'search.notUnderstood')}{' '}
          <PlainText text={result.not_understood} />
        </>
      )}
      {result.words !== null && <WordsSaid words={result.words} />}
    </>
  );

  function describe({ means, total, total_relation: relation }: SearchReading): string {
    const meaning = means.map((one) => t(`search.meanings.${one}`, { defaultValue: one })).join(' + ');
    return `${meaning} (${relation === 'gte' ? '≥ ' : ''}${total})`;
  }
}

/** What became of words: which counted, and why there may be more. */
function WordsSaid({ words }: { readonly words: WordSearch }) {
  const { t } = useTranslation();
  const { may } = useSession();
  if (words.state === 'off') return <WordsOff />;
  if (words.state === 'none') return ` ${t('search.words.common')}`;
  if (words.state === 'needs_reason') return may('texts.read') ? null : ` ${t('search.words.notYours')}`;
  if (words.state !== 'searched') return null;
  return (
    <>
      {words.similar.map(({ word, instead }) => (
        <span key={word}>
          {' '}
          {t('search.words.similar')} <PlainText text={word} /> → <PlainText text={instead.join(', ')} />.
        </span>
      ))}
      {words.used.length > 0 && words.left_out.length > 0 && (
        <>
          {' '}
          {t('search.words.leftOut')} <PlainText text={words.left_out.join(', ')} />.
        </>
      )}
      {words.is_limited && ` ${t('search.words.limited')}`}
      {!words.is_complete && ` ${t('search.words.building')}`}
    </>
  );
}

/** That the texts are not searched, and how to switch it on. */
export function WordsOff() {
  const { t } = useTranslation();
  const { may } = useSession();
  return (
    <>
      {' '}
      {t('search.words.off')}{' '}
      {may('settings.manage') ? <Link to="/settings">{t('search.words.switchOn')}</Link> : t('search.words.ask')}
    </>
  );
}
