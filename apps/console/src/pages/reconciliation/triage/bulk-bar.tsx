import { Button, Group, Progress, Text } from '@mantine/core';
import { useState } from 'react';
import { useTranslation } from 'react-i18next';
import type { TriagedFinding, TriageStepRequest } from '@answer-evidence/contracts';
import { ActionError } from '../../../components/action-error.tsx';
import { UndoNotice } from '../../../components/undo-notice.tsx';
import { useAction } from '../../../components/use-action.ts';
import { useSession } from '../../../session/session-context.tsx';
import { AssigneeChoice } from './assignee-choice.tsx';
import { DueForm } from './due-form.tsx';
import { ResolveDialog } from './resolve-dialog.tsx';
import { useBulkSteps } from './use-bulk-steps.ts';

type Props = {
  readonly runId: string;
  readonly selected: readonly TriagedFinding[];
  readonly onDone: () => void;
};

/** What can be done about several findings at once, and taken back. */
export function BulkBar({ runId, selected, onDone }: Props) {
  const { t } = useTranslation();
  const { session } = useSession();
  const { isBusy, error, run } = useAction();
  const [isResolving, setResolving] = useState(false);
  const { percent, undo, take, takeBack, forget } = useBulkSteps(runId);
  const open = selected.filter(({ triage }) => triage.state === 'open');
  const mine = session.member.id;

  async function takeSteps(findings: readonly TriagedFinding[], step: TriageStepRequest): Promise<void> {
    await take(findings, step);
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

  if (selected.length === 0 && error === null && undo === null) return null;
  return (
    <>
      {selected.length > 0 && (
        <Group align="end" mb="sm">
          <Text size="sm" lh="2rem">
            {t('triage.selected', { count: selected.length })}
          </Text>
          <Button
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
          <Button disabled={open.length === 0 || isBusy} onClick={() => setResolving(true)}>
            {t('triage.resolve')}
          </Button>
          {percent !== null && <Progress w={160} value={percent} aria-label={t('triage.progress')} />}
        </Group>
      )}
      {undo !== null && !isBusy && (
        <UndoNotice
          said={undo.length === 0 ? t('undo.undone') : t('undo.savedMany', { count: undo.length })}
          isBusy={isBusy}
          onUndo={undo.length === 0 ? undefined : () => void run(takeBack)}
          onClose={forget}
        />
      )}
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
