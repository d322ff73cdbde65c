import { Alert } from '@mantine/core';
import { keepPreviousData, useQuery } from '@tanstack/react-query';
import { Link, useNavigate, useSearch } from '@tanstack/react-router';
import { useState } from 'react';
import { useTranslation } from 'react-i18next';
import type { RecordSummary } from '@answer-evidence/contracts';
import type { Column } from '../../components/data-table.tsx';
import { EmptyState } from '../../components/empty-state.tsx';
import { PageHead } from '../../components/page-head.tsx';
import { PagedTable } from '../../components/paged-table.tsx';
import { PlainText } from '../../components/plain-text.tsx';
import { StatusChip } from '../../components/status-chip.tsx';
import { Time } from '../../components/time.tsx';
import { useSession } from '../../session/session-context.tsx';
import { ExportButton } from './export-button.tsx';
import { readFilters } from './filters.ts';
import { PackButton } from './pack-button.tsx';
import { RecordFilterBar } from './record-filter-bar.tsx';
import { SavedViews } from './saved-views.tsx';

const PAGE_SIZE = 50;

/** Every record that matches the address, newest first. */
export function RecordsPage() {
  const { t } = useTranslation();
  const { client, session, isManager } = useSession();
  const search = useSearch({ from: '/records' });
  const navigate = useNavigate({ from: '/records' });
  const [selected, setSelected] = useState<ReadonlySet<string>>(new Set());
  const { cursor, ...rest } = search;
  const filters = readFilters(rest);
  const isNarrowed = Object.keys(rest).length > 0;
  const list = useQuery({
    queryKey: ['records', session.workspace.id, filters, cursor ?? null],
    queryFn: () => client.records.list(filters, { size: PAGE_SIZE, ...(cursor === undefined ? {} : { cursor }) }),
    placeholderData: keepPreviousData,
  });

  const show = (next: Record<string, string>) => {
    setSelected(new Set());
    void navigate({ search: next });
  };
  const columns: readonly Column<RecordSummary>[] = [
    {
      id: 'created_at',
      title: t('records.created'),
      cell: (record) => (
        <Link to="/records/$recordId" params={{ recordId: record.id }}>
          <Time at={record.created_at} />
        </Link>
      ),
    },
    { id: 'status', title: t('records.status'), cell: ({ status }) => <StatusChip status={status} /> },
    {
      id: 'application',
      title: t('records.application'),
      cell: ({ application_key: application, environment }) => (
        <>
          <PlainText text={application} />{' '}
          <span className="muted">
            <PlainText text={environment} />
          </span>
        </>
      ),
    },
    {
      id: 'message',
      title: t('keys.external_message_id'),
      cell: (record) => (
        <span className="mono">
          <PlainText text={record.external_message_id ?? '–'} />
        </span>
      ),
      isMinor: true,
    },
    { id: 'mode', title: t('keys.mode'), cell: ({ mode }) => <PlainText text={mode ?? '–'} />, isMinor: true },
    {
      id: 'leaf',
      title: t('records.leaf'),
      cell: ({ ledger }) => <span className="mono">{ledger.leaf_index}</span>,
      isMinor: true,
    },
  ];

  return (
    <>
      <PageHead title={t('records.title')}>
        <SavedViews search={rest} onShow={show} />
        {isManager && <PackButton recordIds={[...selected]} />}
        {isManager && <ExportButton filters={filters} selected={selected} />}
      </PageHead>
      <RecordFilterBar key={JSON.stringify(rest)} search={rest} onChange={show} />
      <PagedTable
        caption={t('records.title')}
        columns={columns}
        query={list}
        keyOf={({ id }) => id}
        cursor={cursor}
        empty={
          <EmptyState title={t(isNarrowed ? 'records.noneMatch' : 'records.none')}>
            {t(isNarrowed ? 'records.noneMatchText' : 'records.noneText')}
          </EmptyState>
        }
        above={() =>
          selected.size > 0 && (
            <Alert role="status" mb="sm" p="xs">
              {t('records.selected', { count: selected.size })}
            </Alert>
          )
        }
        onOpen={({ id }) => void navigate({ to: '/records/$recordId', params: { recordId: id } })}
        onPage={(at) => show({ ...rest, ...at })}
        {...(isManager ? { selected, onSelect: setSelected } : {})}
      />
    </>
  );
}
