import { useQuery } from '@tanstack/react-query';
import { useTranslation } from 'react-i18next';
import { useSession } from '../session/session-context.tsx';
import classes from './search-box.module.css';
import { WordsOff } from './search-said.tsx';

const FOLLOWED_MS = 3_000;

/** What can be searched for, and whether that includes the words of texts. */
export function SearchHelp() {
  const { t } = useTranslation();
  const { client, session } = useSession();
  const { data } = useQuery({
    queryKey: ['search-words', session.workspace.id],
    queryFn: () => client.search.words(),
    refetchInterval: (query) => (query.state.data?.state === 'building' ? FOLLOWED_MS : false),
    retry: false,
  });
  const share = data === undefined || data.entries === 0 ? 0 : Math.floor((100 * data.indexed_entries) / data.entries);
  return (
    <p className={classes['help']}>
      {t('search.help')}
      {data?.state === 'off' || data?.state === 'ending' ? <WordsOff /> : null}
      {data?.state === 'ready' && ` ${t('search.words.on')}`}
      {data?.state === 'building' && ` ${t('search.words.progress', { share })}`}
    </p>
  );
}
