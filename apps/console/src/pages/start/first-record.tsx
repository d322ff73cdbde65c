import { Alert, Loader, Text } from '@mantine/core';
import { useQuery } from '@tanstack/react-query';
import { Link } from '@tanstack/react-router';
import { useTranslation } from 'react-i18next';
import { ActionError } from '../../components/action-error.tsx';
import { PlainText } from '../../components/plain-text.tsx';
import { Time } from '../../components/time.tsx';
import { useSession } from '../../session/session-context.tsx';

const ASK_EVERY_MS = 1_500;

/** Looks for the newest record of an application until there is one. */
export function FirstRecord({ application }: { readonly application: string }) {
  const { t } = useTranslation();
  const { client, session } = useSession();
  const query = useQuery({
    queryKey: ['first-record', session.workspace.id, application],
    queryFn: async () => (await client.records.list({ application_key: application }, { size: 1 })).items[0] ?? null,
    refetchInterval: ({ state }) => (state.data === null || state.data === undefined ? ASK_EVERY_MS : false),
    staleTime: 0,
  });
  if (query.data === null || query.data === undefined)
    return (
      <div role="status">
        <Text>
          <Loader type="dots" size="sm" aria-hidden /> {t('start.waiting')} <PlainText text={application} />
        </Text>
        <ActionError error={query.error} />
      </div>
    );
  return (
    <Alert role="status" color="green" title={t('start.arrived')}>
      <Time at={query.data.created_at} /> · {t('timeline.leaf', { leaf: query.data.ledger.leaf_index })}
      <br />
      <Link to="/records/$recordId" params={{ recordId: query.data.id }}>
        {t('start.look')}
      </Link>
    </Alert>
  );
}
