import { Alert, Button, Group, NativeSelect, Progress, Text } from '@mantine/core';
import { keepPreviousData, useQuery } from '@tanstack/react-query';
import { Link, useNavigate, useParams, useSearch } from '@tanstack/react-router';
import { useTranslation } from 'react-i18next';
import {
  FINDING_TYPES,
  type FindingType,
  type ReconciliationFinding,
  type ReconciliationRun,
} from '@answer-evidence/contracts';
import { readBytes } from '../../api/read-bytes.ts';
import { ActionError } from '../../components/action-error.tsx';
import { type Column, DataTable, Pager } from '../../components/data-table.tsx';
import { EmptyState } from '../../components/empty-state.tsx';
import { Loaded } from '../../components/loaded.tsx';
import { PageHead } from '../../components/page-head.tsx';
import { PlainText } from '../../components/plain-text.tsx';
import { saveFile } from '../../components/save-file.ts';
import { Time } from '../../components/time.tsx';
import { useAction } from '../../components/use-action.ts';
import { useSession } from '../../session/session-context.tsx';
import classes from './reconciliation.module.css';
import { RunStatus } from './run-status.tsx';

const ASK_EVERY_MS = 1_000;
const COUNTS = ['references', 'records', 'matched', ...FINDING_TYPES] as const;
const isOver = (run: ReconciliationRun | undefined) => run?.status === 'completed' || run?.status === 'failed';

/** One run: how far it is, what it counted, and what it found. */
export function RunPage() {
  const { t } = useTranslation();
  const { client, session } = useSession();
  const { runId } = useParams({ from: '/reconciliation/$runId' });
  const { isBusy, error, run: act } = useAction();
  const query = useQuery({
    queryKey: ['run', session.workspace.id, runId],
    queryFn: () => client.reconciliations.get(runId),
    refetchInterval: ({ state }) => (isOver(state.data) || state.status === 'error' ? false : ASK_EVERY_MS),
  });
  const save = (path: string, name: string, type: string) =>
    void act(async () => saveFile(name, type, [await readBytes(`/api/reconciliations/runs/${runId}/${path}`)]));
  return (
    <>
      <PageHead title={t('runs.one')}>
        {query.data?.status === 'completed' && (
          <Group>
            <Button disabled={isBusy} onClick={() => save('proof', 'reconciliation-proof.json', 'application/json')}>
              {t('runs.proof')}
            </Button>
            <Button
              variant="default"
              disabled={isBusy}
              onClick={() => save('findings?format=csv', 'findings.csv', 'text/csv')}
            >
              {t('runs.csv')}
            </Button>
          </Group>
        )}
      </PageHead>
      <ActionError error={error} />
      <Loaded query={query}>
        {(run) => (
          <>
            <Text mb="sm">
              <PlainText text={run.application_key} /> · <PlainText text={run.environment} /> ·{' '}
              <Time at={run.window_start} /> – <Time at={run.window_end} /> · {t(`keys.${run.match_on}`)}{' '}
              <RunStatus run={run} />
            </Text>
            {!isOver(run) && <Progress value={run.progress} aria-label={t('runs.progress')} mb="md" />}
            {run.failure !== null && (
              <Alert color="red" title={t('errors.title')}>
                <PlainText text={run.failure.detail} />
              </Alert>
            )}
            {run.lateness_open_until !== null && (
              <Alert color="yellow" mb="md">
                {t('runs.provisional')} <Time at={run.lateness_open_until} />.
              </Alert>
            )}
            {run.counts !== null && (
              <>
                <dl className={classes['counts']}>
                  {COUNTS.map((name) => (
                    <div key={name}>
                      <dt>{t(`findings.${name}`)}</dt>
                      <dd>{run.counts?.[name]}</dd>
                    </div>
                  ))}
                </dl>
                <Findings runId={runId} />
              </>
            )}
          </>
        )}
      </Loaded>
    </>
  );
}

function Findings({ runId }: { readonly runId: string }) {
  const { t } = useTranslation();
  const { client, session } = useSession();
  const { type: shown, cursor } = useSearch({ from: '/reconciliation/$runId' });
  const navigate = useNavigate({ from: '/reconciliation/$runId' });
  const type = FINDING_TYPES.find((one) => one === shown);
  const filters: { readonly type?: FindingType } = type === undefined ? {} : { type };
  const here: Record<string, string> = type === undefined ? {} : { type };
  const list = useQuery({
    queryKey: ['findings', session.workspace.id, runId, filters, cursor ?? null],
    queryFn: () => client.reconciliations.findings(runId, filters, cursor === undefined ? {} : { cursor }),
    placeholderData: keepPreviousData,
  });
  const columns: readonly Column<ReconciliationFinding>[] = [
    { id: 'type', title: t('findings.type'), cell: (finding) => t(`findings.${finding.type}`) },
    {
      id: 'reference',
      title: t('findings.reference'),
      cell: ({ reference_id: id }) => (id === null ? '–' : <PlainText text={id} />),
    },
    {
      id: 'record',
      title: t('findings.record'),
      cell: ({ answer_log_id: id }) =>
        id === null ? (
          '–'
        ) : (
          <Link to="/records/$recordId" params={{ recordId: id }} className="mono">
            {id}
          </Link>
        ),
    },
    {
      id: 'detail',
      title: t('findings.detail'),
      cell: ({ detail }) => (
        <span className="mono">
          <PlainText
            text={Object.entries(detail)
              .map(([name, value]) => `${name}: ${typeof value === 'object' ? JSON.stringify(value) : String(value)}`)
              .join('\n')}
          />
        </span>
      ),
      isMinor: true,
    },
  ];
  return (
    <>
      <NativeSelect
        label={t('findings.show')}
        value={type ?? ''}
        onChange={(event) => void navigate({ search: { type: event.currentTarget.value } })}
        data={[
          { value: '', label: t('findings.any') },
          ...FINDING_TYPES.map((value) => ({ value, label: t(`findings.${value}`) })),
        ]}
        mb="sm"
        maw={320}
      />
      <Loaded query={list}>
        {({ items, next_cursor: next }) =>
          items.length === 0 ? (
            <EmptyState title={t('findings.none')}>{t('findings.noneText')}</EmptyState>
          ) : (
            <>
              <DataTable
                caption={t('findings.title')}
                columns={columns}
                rows={items}
                keyOf={(finding) => JSON.stringify([finding.type, finding.reference_id, finding.answer_log_id])}
                isBusy={list.isFetching}
              />
              <Pager
                onFirst={cursor === undefined ? null : () => void navigate({ search: here })}
                onNext={next === null ? null : () => void navigate({ search: { ...here, cursor: next } })}
              />
            </>
          )
        }
      </Loaded>
    </>
  );
}
