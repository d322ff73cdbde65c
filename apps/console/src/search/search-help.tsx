import { useTranslation } from 'react-i18next';
import classes from './search-box.module.css';
import { WordsOff } from './search-said.tsx';
import { useWordIndex } from './use-word-index.ts';

/** What can be searched for, and whether that includes the words of texts. */
export function SearchHelp() {
  const { t } = useTranslation();
  const index = useWordIndex();
  return (
    <p className={classes['help']}>
      {t('search.help')}
      {index?.state === 'off' || index?.state === 'ending' ? <WordsOff /> : null}
      {index?.state === 'ready' && ` ${t('search.words.on')}`}
      {index?.state === 'building' && ` ${t('search.words.progress', { share: index.percent })}`}
    </p>
  );
}
