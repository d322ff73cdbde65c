import { Text } from '@mantine/core';
import { Link } from '@tanstack/react-router';
import { useTranslation } from 'react-i18next';
import { type Column, DataTable } from '../../components/data-table.tsx';
import { EmptyState } from '../../components/empty-state.tsx';
import { Loaded } from '../../components/loaded.tsx';
import { PlainText } from '../../components/plain-text.tsx';
import { Time } from '../../components/time.tsx';
import { useSession } from '../../session/session-context.tsx';
import { useWorkspaceQuery } from '../../session/workspace-query.ts';
import { type ApplicationCounts, countApplications } from './count-applications.ts';

/** So many of each list are looked at: one page of the largest size. */
const LOOKED_AT = 200;

/** Each application: how many of its newest records came as telemetry, and what of it left none. */
export function Applications() {
  const { t } = useTranslation();
  const { may } = useSession();
  const query = useWorkspaceQuery(['otel', 'applications'], async (client) => {
    const page = { size: LOOKED_AT };
    const [records, ignored, unattached] = await Promise.all([
      may('records.read') ? client.records.list({}, page) : { items: [], next_cursor: null },
      client.otel.ignored({}, page),
      client.otel.unattached({}, page),
    ]);
    return {
      counts: countApplications(records.items, ignored.items, unattached.items),
      isPart: [records, ignored, unattached].some((list) => list.next_cursor !== null),
    };
  });
  const columns: readonly Column<ApplicationCounts>[] = [
    {
      id: 'application',
      title: t('records.application'),
      cell: ({ application }) => (application === '' ? t('otel.unnamed') : <PlainText text={application} />),
    },
    {
      id: 'made',
      title: t('otel.made'),
      cell: ({ application, made, records, named }) => (
        <>
          {records === 0 ? (
            '–'
          ) : (
            <Link to="/records" search={{ application_key: application }}>
              {t('otel.ofRecords', { part: made, records })}
            </Link>
          )}
          {named > 0 && (
            <Text size="xs" c="dimmed">
              {t('otel.named', { count: named })}
            </Text>
          )}
        </>
      ),
    },
    {
      id: 'attached',
      title: t('otel.attached'),
      cell: ({ attached, signals }) => (
        <>
          {attached}
          {signals.length > 0 && (
            <Text size="xs" c="dimmed">
              {signals.map((signal) => t(`otelSignals.${signal}`, { defaultValue: signal })).join(', ')}
            </Text>
          )}
        </>
      ),
    },
    {
      id: 'ignored',
      title: t('otelViews.ignored'),
      cell: ({ application, ignored }) => (
        <Link to="/opentelemetry" search={{ view: 'ignored', application_key: application }}>
          {ignored}
        </Link>
      ),
    },
    {
      id: 'unattached',
      title: t('otelViews.unattached'),
      cell: ({ application, unattached }) => (
        <Link to="/opentelemetry" search={{ view: 'unattached', application_key: application }}>
          {unattached}
        </Link>
      ),
    },
    {
      id: 'last',
      title: t('otel.last'),
      cell: ({ lastAt }) => (lastAt === null ? t('otel.nothing') : <Time at={lastAt} />),
      isMinor: true,
    },
  ];
  return (
    <Loaded query={query}>
      {({ counts, isPart }) =>
        counts.length === 0 ? (
          <EmptyState title={t('otel.none')}>{t('otel.noneText')}</EmptyState>
        ) : (
          <>
            <DataTable
              caption={t('otelViews.applications')}
              columns={columns}
              rows={counts}
              keyOf={({ application }) => application}
            />
            {isPart && (
              <Text size="sm" c="dimmed" mt="sm">
                {t('otel.part', { count: LOOKED_AT })}
              </Text>
            )}
            <Text size="sm" c="dimmed" mt="sm">
              {t('otel.elsewhere')}
            </Text>
          </>
        )
      }
    </Loaded>
  );
}
