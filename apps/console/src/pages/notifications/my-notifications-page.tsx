import { Text } from '@mantine/core';
import { useTranslation } from 'react-i18next';
import { Loaded } from '../../components/loaded.tsx';
import { PageHead } from '../../components/page-head.tsx';
import { useReload, useWorkspaceQuery } from '../../session/workspace-query.ts';
import { OwnForm } from './own-form.tsx';
import { OwnState } from './own-state.tsx';

/** What the reader has mailed to themselves. */
export function MyNotificationsPage() {
  const { t } = useTranslation();
  const own = useWorkspaceQuery(['own-notifications'], (client) => client.notifications.own());
  const reloadAll = useReload();
  const reload = () => reloadAll('own-notifications');
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
