import { Button } from '@mantine/core';
import { Link, useNavigate, useSearch } from '@tanstack/react-router';
import { useTranslation } from 'react-i18next';
import type { ListedRun } from '@answer-evidence/contracts';
import type { Column } from '../../components/data-table.tsx';
import { EmptyState } from '../../components/empty-state.tsx';
import { FilterBar } from '../../components/filter-bar.tsx';
import { PageHead } from '../../components/page-head.tsx';
import { PagedTable } from '../../components/paged-table.tsx';
import { PlainText } from '../../components/plain-text.tsx';
import { TimeSpan } from '../../components/time-span.tsx';
import { useKnownNames } from '../../components/use-known-names.ts';
import { useSession } from '../../session/session-context.tsx';
import { useWorkspacePage } from '../../session/workspace-query.ts';
import { OpenWork } from './open-work.tsx';
import { RunStatus } from './run-status.tsx';
import { Trend } from './trend.tsx';

/** Runs, newest first, what is still open of each, and how much was missing or late over time. */
export function RunsPage() {
  const { t } = useTranslation();
  const { may } = useSession();
  const { application_key: application, cursor } = useSearch({ from: '/reconciliation' });
  const navigate = useNavigate({ from: '/reconciliation' });
  const { applications } = useKnownNames();
  const filters: Record<string, string> = application === undefined ? {} : { application_key: application };
  const list = useWorkspacePage(['runs', filters], cursor, (client, at) => client.reconciliations.list(filters, at));
  const columns: readonly Column<ListedRun>[] = [
    {
      id: 'window',
      title: t('runs.window'),
      cell: ({ id, window_start: start, window_end: end }) => (
        <Link to="/reconciliation/$runId" params={{ runId: id }}>
          <TimeSpan from={start} to={end} />
        </Link>
      ),
    },
    {
      id: 'application',
      title: t('records.application'),
      cell: ({ application_key: key, environment }) => (
        <>
          <PlainText text={key} />{' '}
          <span className="muted">
            <PlainText text={environment} />
          </span>
        </>
      ),
    },
    { id: 'status', title: t('runs.status'), cell: (run) => <RunStatus run={run} /> },
    { id: 'work', title: t('runs.work'), cell: (run) => <OpenWork run={run} /> },
    { id: 'references', title: t('findings.references'), cell: ({ references }) => references, isMinor: true },
    {
      id: 'unexpected',
      title: t('findings.unexpected_service'),
      cell: ({ counts }) => counts?.unexpected_service ?? '–',
      isMinor: true,
    },
    { id: 'records', title: t('runs.records'), cell: ({ counts }) => counts?.records ?? '–', isMinor: true },
  ];
  return (
    <>
      <PageHead title={t('runs.title')}>
        {may('reconciliations.run') && (
          <Button component={Link} to="/reconciliation/new">
            {t('runs.new')}
          </Button>
        )}
      </PageHead>
      <FilterBar
        key={application ?? ''}
        search={filters}
        fields={[
          {
            name: 'application_key',
            label: t('records.application'),
            offered: applications,
          },
        ]}
        onChange={(next) => void navigate({ search: next })}
      />
      <PagedTable
        caption={t('runs.title')}
        columns={columns}
        query={list}
        keyOf={({ id }) => id}
        cursor={cursor}
        empty={<EmptyState title={t('runs.none')}>{t('runs.noneText')}</EmptyState>}
        above={(runs) => <Trend runs={runs} />}
        onOpen={({ id }) => void navigate({ to: '/reconciliation/$runId', params: { runId: id } })}
        onPage={(at) => void navigate({ search: { ...filters, ...at } })}
      />
    </>
  );
}
