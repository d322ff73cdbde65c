import { Alert, Loader, Text } from '@mantine/core';
import { Link } from '@tanstack/react-router';
import { useTranslation } from 'react-i18next';
import { ActionError } from '../../components/action-error.tsx';
import { PlainText } from '../../components/plain-text.tsx';
import { Time } from '../../components/time.tsx';
import { useWorkspaceQuery } from '../../session/workspace-query.ts';

const ASK_EVERY_MS = 1_500;

type Props = {
  readonly application: string;
  /** Records from before it are none of this token's. */
  readonly after: string;
};

/** Looks for a record of an application since its token was made, until there is one. */
export function FirstRecord({ application, after }: Props) {
  const { t } = useTranslation();
  const query = useWorkspaceQuery(
    ['first-record', application, after],
    async (client) => {
      const filters = { application_key: application, created_after: after };
      return (await client.records.list(filters, { size: 1 })).items[0] ?? null;
    },
    {
      refetchInterval: ({ state }) => (state.data === null || state.data === undefined ? ASK_EVERY_MS : false),
      staleTime: 0,
    },
  );
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
