import { Button, Text } from '@mantine/core';
import { useNavigate, useSearch } from '@tanstack/react-router';
import { lazy, Suspense, useState } from 'react';
import { useTranslation } from 'react-i18next';
import type { MarkedRecord, RevealRequest } from '@answer-evidence/contracts';
import { ActionError } from '../../components/action-error.tsx';
import { EmptyState } from '../../components/empty-state.tsx';
import { PageHead } from '../../components/page-head.tsx';
import { PagedTable } from '../../components/paged-table.tsx';
import { useBrowsed } from '../../components/use-browsed.ts';
import { useSession } from '../../session/session-context.tsx';
import { useWorkspacePage } from '../../session/workspace-query.ts';
import { BrowseButton, BrowseNotice } from './browsed.tsx';
import { ExportButton } from './export-button.tsx';
import { FilterChips } from './filter-chips.tsx';
import { readFilters } from './filters.ts';
import { PackButton } from './pack-button.tsx';
import { listColumns, nameDay } from './record-columns.tsx';
import { RecordFilterBar } from './record-filter-bar.tsx';
import { RecordPanel } from './record-panel.tsx';
import classes from './records.module.css';
import { SavedViews } from './saved-views.tsx';
import { SelectMatching } from './select-matching.tsx';
import { useDensity } from './use-density.ts';

const PAGE_SIZE = 50;

// Few readers have imported answers, and the chart is larger than the page.
const AnsweredChart = lazy(async () => ({ default: (await import('./answered-chart.tsx')).AnsweredChart }));

/** Every record that matches the address, newest first. */
export function RecordsPage() {
  const { t, i18n } = useTranslation();
  const { may } = useSession();
  const search = useSearch({ from: '/records' });
  const navigate = useNavigate({ from: '/records' });
  const [selected, setSelected] = useState<ReadonlySet<string>>(new Set());
  const [reason, setReason] = useState<RevealRequest | null>(null);
  const [panel, setPanel] = useState<MarkedRecord | null>(null);
  const { isCompact, toggle } = useDensity();
  const { cursor, ...rest } = search;
  const filters = readFilters(rest);
  const isNarrowed = Object.keys(rest).length > 0;
  const list = useWorkspacePage(['records', filters], cursor, (client, at) =>
    client.search.marked(filters, { size: PAGE_SIZE, ...at }),
  );
  const ids = list.isPlaceholderData ? [] : (list.data?.items ?? []).map(({ record }) => record.id);
  const browsed = useBrowsed(reason, ids);

  const show = (next: Record<string, string>) => {
    setSelected(new Set());
    setPanel(null);
    void navigate({ search: next });
  };
  const isClaimed = filters.answered_after !== undefined || filters.answered_before !== undefined;

  return (
    <>
      <PageHead title={t('records.title')}>
        <SavedViews search={rest} onShow={show} />
        {may('texts.read') && <BrowseButton reason={reason} onReason={setReason} />}
        {may('packs') && <PackButton recordIds={[...selected]} />}
        {may('records.export') && <ExportButton filters={filters} selected={selected} />}
      </PageHead>
      <RecordFilterBar key={JSON.stringify(rest)} search={rest} onChange={show} />
      <FilterChips search={rest} onChange={show} />
      {isClaimed && (
        <Suspense>
          <AnsweredChart filters={filters} />
        </Suspense>
      )}
      {reason !== null && <BrowseNotice reason={reason} />}
      <ActionError error={browsed.error} />
      <div className={classes['layout']} data-panel={panel !== null || undefined}>
        <div
          data-density={isCompact ? 'compact' : undefined}
          onKeyDown={(event) => {
            if (event.key === 'Escape') setPanel(null);
          }}
        >
          <PagedTable
            caption={t('records.title')}
            columns={listColumns(t, reason === null ? undefined : (browsed.data ?? new Map()), panel !== null)}
            query={list}
            keyOf={({ record }) => record.id}
            groupOf={({ record }) => nameDay(record.created_at, i18n.language)}
            keys={{ e: (marked) => setPanel(panel?.record.id === marked.record.id ? null : marked) }}
            onCurrent={(marked) => {
              if (panel !== null) setPanel(marked);
            }}
            cursor={cursor}
            empty={
              <EmptyState title={t(isNarrowed ? 'records.noneMatch' : 'records.none')}>
                {t(isNarrowed ? 'records.noneMatchText' : 'records.noneText')}
              </EmptyState>
            }
            above={() => (
              <div className={classes['above']}>
                {list.data !== undefined && (
                  <Text size="sm" c="dimmed" role="status">
                    {t(list.data.total_relation === 'gte' ? 'records.totalAtLeast' : 'records.total', {
                      count: list.data.total,
                    })}{' '}
                    <span className={classes['keys']}>{t('records.keys')}</span>
                  </Text>
                )}
                <Button size="compact-sm" variant="default" aria-pressed={isCompact} onClick={toggle}>
                  {t('records.compact')}
                </Button>
                {selected.size > 0 && list.data !== undefined && (
                  <SelectMatching filters={filters} page={list.data} selected={selected} onSelect={setSelected} />
                )}
              </div>
            )}
            onOpen={({ record }) => void navigate({ to: '/records/$recordId', params: { recordId: record.id } })}
            onPage={(at) => show({ ...rest, ...at })}
            {...(may('packs') || may('records.export') ? { selected, onSelect: setSelected } : {})}
          />
        </div>
        {panel !== null && (
          <RecordPanel
            marked={panel}
            texts={reason === null ? undefined : browsed.data?.get(panel.record.id)}
            onClose={() => setPanel(null)}
          />
        )}
      </div>
    </>
  );
}
