import { Button, Group, Progress, Text } from '@mantine/core';
import { useQueryClient } from '@tanstack/react-query';
import { useState } from 'react';
import { useTranslation } from 'react-i18next';
import type { TriagedFinding, TriageStepRequest } from '@answer-evidence/contracts';
import { ActionError } from '../../../components/action-error.tsx';
import { useAction } from '../../../components/use-action.ts';
import { useSession } from '../../../session/session-context.tsx';
import { AssigneeChoice } from './assignee-choice.tsx';
import { DueForm } from './due-form.tsx';
import { ResolveDialog } from './resolve-dialog.tsx';

type Props = {
  readonly runId: string;
  readonly selected: readonly TriagedFinding[];
  readonly onDone: () => void;
};

/**
 * What can be done about several findings at once: one step each, with the version that was read of it. What somebody
 * else has changed stops it, and what was done until then stays.
 */
export function BulkBar({ runId, selected, onDone }: Props) {
  const { t } = useTranslation();
  const { client, session } = useSession();
  const queries = useQueryClient();
  const { isBusy, error, run } = useAction();
  const [isResolving, setResolving] = useState(false);
  const [done, setDone] = useState<number | null>(null);
  const open = selected.filter(({ triage }) => triage.state === 'open');
  const mine = session.member.id;

  async function takeSteps(findings: readonly TriagedFinding[], step: TriageStepRequest): Promise<void> {
    try {
      for (const [at, { position, triage }] of findings.entries()) {
        setDone((100 * at) / findings.length);
        await client.reconciliations.takeStep(runId, position, { ...step, version: triage.version });
      }
    } finally {
      setDone(null);
      await queries.invalidateQueries({ queryKey: ['triage', session.workspace.id, runId] });
    }
    onDone();
  }
  const assign = (to: string | null) => {
    // To whom it is assigned already, it cannot be once more.
    const others = open.filter(({ triage }) => (triage.assignee?.id ?? null) !== to);
    void run(() => takeSteps(others, { action: 'assign', assignee_id: to }));
  };

  const schedule = (dueAt: string | null) => {
    const others = open.filter(({ triage }) => Date.parse(triage.due_at ?? '') !== Date.parse(dueAt ?? ''));
    void run(() => takeSteps(others, { action: 'schedule', due_at: dueAt }));
  };

  if (selected.length === 0 && error === null) return null;
  return (
    <>
      <Group align="end" mb="sm">
        <Text size="sm">{t('triage.selected', { count: selected.length })}</Text>
        <Button
          size="compact-sm"
          variant="default"
          disabled={open.every(({ triage }) => triage.assignee?.id === mine)}
          loading={isBusy}
          onClick={() => assign(mine)}
        >
          {t('triage.take')}
        </Button>
        {open.length > 0 && (
          <AssigneeChoice
            label={t('triage.assignTo')}
            runId={runId}
            value={null}
            onChange={(id) => {
              if (id !== '' && !isBusy) assign(id);
            }}
          />
        )}
        {open.length > 0 && <DueForm value={null} isBusy={isBusy} onChange={schedule} />}
        <Button size="compact-sm" disabled={open.length === 0 || isBusy} onClick={() => setResolving(true)}>
          {t('triage.resolve')}
        </Button>
        {done !== null && <Progress w={160} value={done} aria-label={t('triage.progress')} />}
      </Group>
      <ActionError error={error} />
      {isResolving && (
        <ResolveDialog
          count={open.length}
          onConfirm={(resolution, text) =>
            takeSteps(open, { action: 'resolve', resolution, ...(text === '' ? {} : { text }) })
          }
          onClose={() => setResolving(false)}
        />
      )}
    </>
  );
}
