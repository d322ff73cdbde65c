import { Stack, Text } from '@mantine/core';
import { Link, useNavigate, useSearch } from '@tanstack/react-router';
import { useTranslation } from 'react-i18next';
import type { RecordSummary } from '@answer-evidence/contracts';
import { Actor } from '../../components/actor.tsx';
import type { Column } from '../../components/data-table.tsx';
import { EmptyState } from '../../components/empty-state.tsx';
import { Loaded } from '../../components/loaded.tsx';
import { PageHead } from '../../components/page-head.tsx';
import { PagedTable } from '../../components/paged-table.tsx';
import { PlainText } from '../../components/plain-text.tsx';
import { RelativeTime } from '../../components/relative-time.tsx';
import { StatusChip } from '../../components/status-chip.tsx';
import { Time } from '../../components/time.tsx';
import { useWorkspacePage, useWorkspaceQuery } from '../../session/workspace-query.ts';
import { HoldFilters } from './hold-filters.tsx';
import { HoldState } from './hold-state.tsx';

const PAGE_SIZE = 50;

/** One hold: for which matter, since when, and the records that it covers now. */
export function HoldPage({ holdId }: { readonly holdId: string }) {
  const { t } = useTranslation();
  const { cursor } = useSearch({ from: '/holds' });
  const navigate = useNavigate({ from: '/holds' });
  const hold = useWorkspaceQuery(['holds', holdId], (client) => client.holds.get(holdId));
  const records = useWorkspacePage(['holds', holdId, 'records'], cursor, (client, at) =>
    client.holds.records(holdId, { size: PAGE_SIZE, ...at }),
  );
  const columns: readonly Column<RecordSummary>[] = [
    {
      id: 'created_at',
      title: t('records.created'),
      cell: ({ id, created_at: at }) => (
        <Link to="/records/$recordId" params={{ recordId: id }}>
          <RelativeTime at={at} />
        </Link>
      ),
    },
    { id: 'status', title: t('records.status'), cell: ({ status }) => <StatusChip status={status} /> },
    {
      id: 'application',
      title: t('records.application'),
      cell: ({ application_key: key, environment }) => (
        <>
          <PlainText text={key} />
          <Text size="xs" c="dimmed">
            <PlainText text={environment} />
          </Text>
        </>
      ),
    },
  ];
  return (
    <Loaded query={hold}>
      {(shown) => (
        <>
          <PageHead title={t('holdsPage.one')} />
          <Stack gap={4} mb="md" align="flex-start" className="wrapped">
            <Text fw={600} size="lg">
              <PlainText text={shown.matter} />
            </Text>
            <PlainText text={shown.reason} />
            <Text size="sm" c="dimmed">
              {t('holdsPage.placed')} <Time at={shown.placed_at} /> · <Actor actor={shown.placed_by} />
            </Text>
            <HoldState hold={shown} />
            <HoldFilters hold={shown} />
          </Stack>
          <PagedTable
            caption={t('holdsPage.records')}
            columns={columns}
            query={records}
            keyOf={({ id }) => id}
            cursor={cursor}
            empty={<EmptyState title={t('holdsPage.noRecords')}>{t('holdsPage.noRecordsText')}</EmptyState>}
            above={() => (
              <Text size="sm" c="dimmed" mb="xs">
                {t(shown.records.relation === 'gte' ? 'records.totalAtLeast' : 'records.total', {
                  count: shown.records.count,
                })}
              </Text>
            )}
            onOpen={({ id }) => void navigate({ to: '/records/$recordId', params: { recordId: id } })}
            onPage={(at) => void navigate({ search: { hold: holdId, ...at } })}
          />
        </>
      )}
    </Loaded>
  );
}
