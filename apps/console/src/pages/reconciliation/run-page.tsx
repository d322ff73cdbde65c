import { Alert, Button, Group, Progress, Text } from '@mantine/core';
import { useParams } from '@tanstack/react-router';
import { useTranslation } from 'react-i18next';
import type { Call } from '@answer-evidence/client';
import { toCall } from '@answer-evidence/client/calls';
import { type CsvOptions, FINDING_TYPES, type ReconciliationRun, SPREADSHEET_CSV } from '@answer-evidence/contracts';
import { getReconciliationProof, listReconciliationFindings } from '@answer-evidence/contracts/operations';
import { ActionError } from '../../components/action-error.tsx';
import { formatTimeSpan } from '../../components/format-time-span.ts';
import { Loaded } from '../../components/loaded.tsx';
import { PageHead } from '../../components/page-head.tsx';
import { PlainText } from '../../components/plain-text.tsx';
import { saveFile } from '../../components/save-file.ts';
import { nameControls } from '../../components/split-controls.ts';
import { Time } from '../../components/time.tsx';
import { useAction } from '../../components/use-action.ts';
import { useSession } from '../../session/session-context.tsx';
import { useWorkspaceQuery } from '../../session/workspace-query.ts';
import classes from './reconciliation.module.css';
import { RunStatus } from './run-status.tsx';
import { FindingsTable } from './triage/findings-table.tsx';

const ASK_EVERY_MS = 1_000;
const COUNTS = ['references', 'records', 'matched', ...FINDING_TYPES] as const;
/** How grave it is that there is one. */
const KINDS: Readonly<Partial<Record<(typeof COUNTS)[number], 'grave' | 'odd'>>> = {
  missing_service: 'grave',
  late_service: 'odd',
  unexpected_service: 'odd',
  duplicate_reference: 'odd',
  duplicate_service: 'odd',
  unanchored_service: 'odd',
};
const isOver = (run: ReconciliationRun | undefined) => run?.status === 'completed' || run?.status === 'failed';

/** Names a run by what it compared: of which application, and when. */
function titleOf({ application_key: key, window_start: from, window_end: to }: ReconciliationRun, language: string) {
  return `${nameControls(key)} · ${formatTimeSpan(from, to, language) ?? `${from} – ${to}`}`;
}

/** One run: how far it is, what it counted, and what it found. */
export function RunPage() {
  const { t, i18n } = useTranslation();
  const { readBytes } = useSession();
  const { runId } = useParams({ from: '/reconciliation/$runId' });
  const { isBusy, error, run: act } = useAction();
  const query = useWorkspaceQuery(['run', runId], (client) => client.reconciliations.get(runId), {
    refetchInterval: ({ state }) => (isOver(state.data) || state.status === 'error' ? false : ASK_EVERY_MS),
  });
  const params = { run_id: runId };
  const save = (call: Call, name: string, type: string) =>
    void act(async () => saveFile(name, type, [await readBytes(call)]));
  const saveProof = () =>
    save(toCall(getReconciliationProof, { params }), 'reconciliation-proof.json', 'application/json');
  const saveFindings = (csv: CsvOptions) =>
    save(toCall(listReconciliationFindings, { params, query: { format: 'csv', ...csv } }), 'findings.csv', 'text/csv');
  return (
    <>
      <Text size="sm" c="dimmed">
        {t('runs.one')} <span className="mono">{nameControls(runId.slice(-8))}</span>
      </Text>
      <PageHead title={query.data === undefined ? t('runs.one') : titleOf(query.data, i18n.language)}>
        {query.data?.status === 'completed' && (
          <Group>
            <Button disabled={isBusy} onClick={saveProof}>
              {t('runs.proof')}
            </Button>
            <Button variant="default" disabled={isBusy} onClick={() => saveFindings({})}>
              {t('runs.csv')}
            </Button>
            <Button variant="default" disabled={isBusy} onClick={() => saveFindings(SPREADSHEET_CSV)}>
              {t('export.spreadsheet')}
            </Button>
          </Group>
        )}
      </PageHead>
      <ActionError error={error} />
      <Loaded query={query}>
        {(run) => (
          <>
            <Text mb="sm">
              <PlainText text={run.environment} /> · {t('runs.matchedBy', { key: t(`keys.${run.match_on}`) })}{' '}
              <RunStatus run={run} />
            </Text>
            {!isOver(run) && <Progress value={run.progress} aria-label={t('runs.progress')} mb="md" />}
            {run.failure !== null && (
              <Alert color="red" title={t('errors.title')}>
                <PlainText text={run.failure.detail} />
              </Alert>
            )}
            {run.lateness_open_until !== null && run.counts?.missing_service !== 0 && (
              <Alert color="yellow" mb="md">
                {t(Date.parse(run.lateness_open_until) > Date.now() ? 'runs.provisional' : 'runs.wasProvisional')}{' '}
                <Time at={run.lateness_open_until} />.
              </Alert>
            )}
            {run.counts !== null && (
              <>
                <dl className={classes['counts']}>
                  {COUNTS.map((name) => (
                    <div key={name} data-kind={run.counts?.[name] === 0 ? undefined : KINDS[name]}>
                      <dt>{t(`findings.${name}`)}</dt>
                      <dd>{run.counts?.[name]}</dd>
                    </div>
                  ))}
                </dl>
                <FindingsTable runId={runId} />
              </>
            )}
          </>
        )}
      </Loaded>
    </>
  );
}
