import { Link, useNavigate, useSearch } from '@tanstack/react-router';
import { useState } from 'react';
import { useTranslation } from 'react-i18next';
import { FINDING_TYPES, TRIAGE_STATES, type TriagedFinding } from '@answer-evidence/contracts';
import { Chip } from '../../../components/chip.tsx';
import type { Column } from '../../../components/data-table.tsx';
import { EmptyState } from '../../../components/empty-state.tsx';
import { PagedTable } from '../../../components/paged-table.tsx';
import { PlainText } from '../../../components/plain-text.tsx';
import { useSession } from '../../../session/session-context.tsx';
import { useWorkspacePage } from '../../../session/workspace-query.ts';
import { BulkBar } from './bulk-bar.tsx';
import { filterByDue } from './due.ts';
import { DueDay } from './due-day.tsx';
import { FindingDetail } from './finding-detail.tsx';
import { FILTERS, FindingFilters } from './finding-filters.tsx';
import { SelectMatching } from './select-matching.tsx';
import { TriageDialog } from './triage-dialog.tsx';

/** The findings of a run with the work on them: filters in the address, one finding in a dialog, several at once. */
export function FindingsTable({ runId }: { readonly runId: string }) {
  const { t } = useTranslation();
  const { may } = useSession();
  const search = useSearch({ from: '/reconciliation/$runId' });
  const navigate = useNavigate({ from: '/reconciliation/$runId' });
  const [picked, setPicked] = useState<ReadonlyMap<string, TriagedFinding>>(new Map());
  const { cursor, finding: opened } = search;
  const here: Record<string, string> = {};
  for (const name of FILTERS) if (search[name] !== undefined) here[name] = search[name];
  const filters = {
    type: FINDING_TYPES.find((one) => one === search['type']),
    state: TRIAGE_STATES.find((one) => one === search['state']),
    assignee: search['assignee'],
    sort: search['sort'] === 'due' ? ('due' as const) : undefined,
    ...filterByDue(search['due'], Date.now()),
  };
  const list = useWorkspacePage(['triage', runId, filters], cursor, (client, at) =>
    client.reconciliations.triage(runId, withoutNothing(filters), at),
  );
  const choose = (name: string, value: string) => {
    const { [name]: _, ...others } = here;
    setPicked(new Map());
    void navigate({ search: value === '' ? others : { ...others, [name]: value } });
  };
  const open = (position: number | undefined) =>
    void navigate({
      search: {
        ...here,
        ...(cursor === undefined ? {} : { cursor }),
        ...(position === undefined ? {} : { finding: `${position}` }),
      },
    });
  const rows = list.data?.items ?? [];
  // What is selected on other pages stays.
  const select = (keys: ReadonlySet<string>) =>
    setPicked(
      new Map(
        [...picked.values(), ...rows].flatMap((one) => {
          const key = `${one.position}`;
          return keys.has(key) ? [[key, one]] : [];
        }),
      ),
    );
  const columns: readonly Column<TriagedFinding>[] = [
    {
      id: 'type',
      title: t('findings.type'),
      cell: ({ position, finding }) => (
        <Link from="/reconciliation/$runId" to="." search={{ ...search, finding: `${position}` }}>
          {t(`findings.${finding.type}`)}
        </Link>
      ),
    },
    {
      id: 'reference',
      title: t('findings.reference'),
      cell: ({ finding: { reference_id: id } }) => (id === null ? '–' : <PlainText text={id} />),
    },
    {
      id: 'record',
      title: t('findings.record'),
      cell: ({ finding: { answer_log_id: id } }) =>
        id === null ? (
          '–'
        ) : (
          <Link to="/records/$recordId" params={{ recordId: id }} className="mono">
            {id}
          </Link>
        ),
    },
    { id: 'state', title: t('triage.state'), cell: ({ triage }) => <TriageChip triage={triage} /> },
    {
      id: 'assignee',
      title: t('triage.assignee'),
      cell: ({ triage: { assignee } }) => (assignee === null ? '–' : <PlainText text={assignee.username} />),
    },
    { id: 'due', title: t('triage.due'), cell: ({ triage }) => <DueDay triage={triage} /> },
    {
      id: 'detail',
      title: t('findings.detail'),
      cell: ({ finding: { detail } }) => <FindingDetail detail={detail} />,
      isMinor: true,
    },
  ];
  return (
    <section aria-label={t('findings.title')}>
      <FindingFilters values={here} counts={list.data?.counts} onChoose={choose} />
      {may('triage') && list.data !== undefined && list.data.total > rows.length && (
        <SelectMatching
          runId={runId}
          filters={withoutNothing(filters)}
          total={list.data.total}
          onSelect={(findings) => setPicked(new Map(findings.map((one) => [`${one.position}`, one])))}
        />
      )}
      <BulkBar runId={runId} selected={[...picked.values()]} onDone={() => setPicked(new Map())} />
      <PagedTable
        caption={t('findings.title')}
        columns={columns}
        query={list}
        keyOf={({ position }) => `${position}`}
        cursor={cursor}
        empty={<EmptyState title={t('findings.none')}>{t('findings.noneText')}</EmptyState>}
        {...(may('triage') ? { selected: new Set(picked.keys()), onSelect: select } : {})}
        onOpen={({ position }) => open(position)}
        onPage={(at) => void navigate({ search: { ...here, ...at } })}
      />
      {opened !== undefined && /^\d{1,9}$/.test(opened) && (
        <TriageDialog key={opened} runId={runId} position={Number(opened)} onClose={() => open(undefined)} />
      )}
    </section>
  );
}

/** Where the work on a finding stands, in words and in color. */
function TriageChip({ triage: { state, resolution } }: Pick<TriagedFinding, 'triage'>) {
  const { t } = useTranslation();
  return (
    <Chip color={state === 'open' ? 'gray' : 'green'}>
      {resolution === null ? t(`triage.${state}`) : t(`resolutions.${resolution}`)}
    </Chip>
  );
}

function withoutNothing<T extends object>(filters: T): { [Name in keyof T]?: Exclude<T[Name], undefined> } {
  return Object.fromEntries(Object.entries(filters).filter(([, value]) => value !== undefined)) as never;
}
