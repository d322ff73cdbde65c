import { Button, Text } from '@mantine/core';
import { Link, useNavigate, useSearch } from '@tanstack/react-router';
import { useTranslation } from 'react-i18next';
import type { WorkspaceEntryItem } from '@answer-evidence/contracts';
import { Actor } from '../../components/actor.tsx';
import type { Column } from '../../components/data-table.tsx';
import { EmptyState } from '../../components/empty-state.tsx';
import { PageHead } from '../../components/page-head.tsx';
import { PagedTable } from '../../components/paged-table.tsx';
import { Time } from '../../components/time.tsx';
import { useSession } from '../../session/session-context.tsx';
import { useWorkspacePage } from '../../session/workspace-query.ts';
import { readEntryFilters } from './entry-filters.ts';
import { EntrySummary } from './entry-summary.tsx';
import { LogFilterBar } from './log-filter-bar.tsx';
import { ReadingRuleNote } from './reading-rule-note.tsx';

const PAGE_SIZE = 50;
/** Narrowed to these, with a reader or a record, the log is the report of who read what and why. */
const READINGS = 'texts_revealed';

/** What was done in the workspace, newest first: each line is an entry of the log. */
export function LogPage() {
  const { t } = useTranslation();
  const { may } = useSession();
  const { cursor, ...rest } = useSearch({ from: '/log' });
  const navigate = useNavigate({ from: '/log' });
  const filters = readEntryFilters(rest);
  const list = useWorkspacePage(['entries', filters], cursor, (client, at) =>
    client.entries.list(filters, { size: PAGE_SIZE, ...at }),
  );
  const show = (next: Record<string, string>) => void navigate({ search: next });
  const columns: readonly Column<WorkspaceEntryItem>[] = [
    {
      id: 'at',
      title: t('log.at'),
      cell: ({ id, created_at: at }) => (
        <Link to="/log/$entryId" params={{ entryId: id }}>
          <Time at={at} />
        </Link>
      ),
    },
    { id: 'type', title: t('log.what'), cell: (entry) => <EntrySummary entry={entry} /> },
    {
      id: 'who',
      title: t('log.who'),
      cell: ({ actor, names }) => (actor === null ? '–' : <Actor actor={actor} names={names} />),
    },
    {
      id: 'leaf',
      title: t('records.leaf'),
      cell: ({ ledger }) => <span className="mono">{ledger.leaf_index}</span>,
      isMinor: true,
    },
  ];
  return (
    <>
      <PageHead title={t('log.title')}>
        <Button variant="default" onClick={() => show({ ...rest, type: READINGS })}>
          {t('log.readings')}
        </Button>
      </PageHead>
      <Text c="dimmed" mb="md">
        {t('log.intro')}
      </Text>
      {may('settings.read') && rest['type'] === READINGS && <ReadingRuleNote />}
      {may('members.read') && <LogFilterBar key={JSON.stringify(rest)} search={rest} onChange={show} />}
      <PagedTable
        caption={t('log.title')}
        columns={columns}
        query={list}
        keyOf={({ id }) => id}
        cursor={cursor}
        empty={<EmptyState title={t('log.noneMatch')}>{t('log.noneMatchText')}</EmptyState>}
        onOpen={({ id }) => void navigate({ to: '/log/$entryId', params: { entryId: id } })}
        onPage={(at) => show({ ...rest, ...at })}
      />
    </>
  );
}
