import { Text } from '@mantine/core';
import { useQuery, useQueryClient } from '@tanstack/react-query';
import { useTranslation } from 'react-i18next';
import { Loaded } from '../../components/loaded.tsx';
import { PageHead } from '../../components/page-head.tsx';
import { useSession } from '../../session/session-context.tsx';
import { OwnForm } from './own-form.tsx';
import { OwnState } from './own-state.tsx';

/** What the reader has mailed to themselves. */
export function MyNotificationsPage() {
  const { t } = useTranslation();
  const { client, session } = useSession();
  const queries = useQueryClient();
  const queryKey = ['own-notifications', session.workspace.id];
  const own = useQuery({ queryKey, queryFn: () => client.notifications.own() });
  const reload = () => queries.invalidateQueries({ queryKey });
  return (
    <>
      <PageHead title={t('ownNotifications.title')} />
      <Text mb="md">{t('ownNotifications.text')}</Text>
      <Loaded query={own}>
        {({ items: [set], event_types: types }) => (
          <>
            {set !== undefined && <OwnState own={set} onChange={reload} />}
            <OwnForm key={set?.id ?? 'none'} own={set} choosable={types} onChange={reload} />
          </>
        )}
      </Loaded>
    </>
  );
}
