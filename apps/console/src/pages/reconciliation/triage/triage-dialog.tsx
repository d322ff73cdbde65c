import { Alert, Button, Group, Stack, Text } from '@mantine/core';
import { useState } from 'react';
import { useTranslation } from 'react-i18next';
import type { FindingTriage, Resolution, TriageStepRequest } from '@answer-evidence/contracts';
import { ActionError } from '../../../components/action-error.tsx';
import { AppModal } from '../../../components/app-modal.tsx';
import { isConflict } from '../../../components/conflict.ts';
import { Loaded } from '../../../components/loaded.tsx';
import { PlainText } from '../../../components/plain-text.tsx';
import { UndoNotice } from '../../../components/undo-notice.tsx';
import { useAction } from '../../../components/use-action.ts';
import { useSession } from '../../../session/session-context.tsx';
import { useReload, useWorkspaceQuery } from '../../../session/workspace-query.ts';
import { AssigneeChoice } from './assignee-choice.tsx';
import { DueForm } from './due-form.tsx';
import { FindingDetail } from './finding-detail.tsx';
import { CommentField, ResolutionField } from './triage-fields.tsx';
import { TriageSteps } from './triage-steps.tsx';
import { undoOf } from './undo-of.ts';

/** What is done without what is typed as a comment. */
const KEEPS_TEXT = new Set<TriageStepRequest['action']>(['assign', 'schedule', 'erase']);

type Props = { readonly runId: string; readonly position: number; readonly onClose: () => void };

/**
 * One finding, every step of the work on it, and the next one. If somebody else was first, it shows what they did and
 * keeps what was typed here.
 */
export function TriageDialog({ runId, position, onClose }: Props) {
  const { t } = useTranslation();
  const query = useWorkspaceQuery(['triage', runId, 'one', position], (client) =>
    client.reconciliations.findingTriage(runId, position),
  );
  return (
    <AppModal opened title={t('triage.title')} onClose={onClose} size="lg">
      <Loaded query={query}>{(found) => <Work runId={runId} found={found} onStale={() => query.refetch()} />}</Loaded>
    </AppModal>
  );
}

/** What was done last, and the step that takes it back. */
type Done = { readonly isUndone: boolean; readonly undo: TriageStepRequest | undefined };

type WorkProps = { readonly runId: string; readonly found: FindingTriage; readonly onStale: () => Promise<unknown> };

function Work({ runId, found, onStale }: WorkProps) {
  const { t } = useTranslation();
  const { client, session, may } = useSession();
  const reload = useReload();
  const [text, setText] = useState('');
  const [resolution, setResolution] = useState<Resolution>('recorded_since');
  const [done, setDone] = useState<Done | null>(null);
  const [isLate, setLate] = useState(false);
  const { isBusy, error, run } = useAction();
  const { finding, triage, position } = found;
  const mine = session.member.id;
  const mayWork = may('triage');

  const take = (step: TriageStepRequest, isUndo = false) =>
    run(async () => {
      setLate(false);
      setDone(null);
      try {
        await client.reconciliations.takeStep(runId, position, { ...step, version: triage.version });
      } catch (refused) {
        if (isConflict(refused)) {
          await onStale();
          setLate(true);
        }
        throw refused;
      }
      if (!KEEPS_TEXT.has(step.action)) setText('');
      await reload('triage', runId);
      setDone({ isUndone: isUndo, undo: isUndo ? undefined : undoOf(step, triage) });
    });
  const typed = text.trim() === '' ? {} : { text: text.trim() };
  return (
    <Stack>
      <div>
        <Text fw={600}>
          {t(`findings.${finding.type}`)} {finding.reference_id !== null && <PlainText text={finding.reference_id} />}
        </Text>
        <Text size="sm" component="div">
          <FindingDetail detail={finding.detail} />
        </Text>
      </div>
      <TriageSteps
        steps={found.steps}
        isErasable={(step) => may('triage.manage') || (mayWork && step.by.id === mine)}
        isBusy={isBusy}
        onErase={(erases) => void take({ action: 'erase', erases })}
      />
      {done !== null && (
        <UndoNotice
          said={t(done.isUndone ? 'undo.undone' : 'undo.saved')}
          isBusy={isBusy}
          onUndo={done.undo && (() => void take(done.undo as TriageStepRequest, true))}
          onClose={() => setDone(null)}
        />
      )}
      {mayWork && triage.state === 'open' && (
        <Group align="end">
          <AssigneeChoice
            label={t('triage.assignee')}
            runId={runId}
            value={triage.assignee}
            onChange={(id) => void take({ action: 'assign', assignee_id: id === '' ? null : id })}
          />
          {triage.assignee?.id === mine ? (
            <Button
              variant="default"
              disabled={isBusy}
              onClick={() => void take({ action: 'assign', assignee_id: null })}
            >
              {t('triage.giveBack')}
            </Button>
          ) : (
            <Button
              variant="default"
              disabled={isBusy}
              onClick={() => void take({ action: 'assign', assignee_id: mine })}
            >
              {t('triage.take')}
            </Button>
          )}
        </Group>
      )}
      {mayWork && triage.state === 'open' && (
        <DueForm
          key={triage.due_at ?? ''}
          value={triage.due_at ?? null}
          isBusy={isBusy}
          onChange={(due) => void take({ action: 'schedule', due_at: due })}
        />
      )}
      {mayWork && <CommentField value={text} onChange={setText} />}
      {mayWork && triage.state === 'open' && <ResolutionField value={resolution} onChange={setResolution} />}
      {isLate ? (
        <Alert color="yellow" role="alert" title={t('conflict.title')}>
          {t('triage.conflict')}
        </Alert>
      ) : (
        <ActionError error={error} />
      )}
      {mayWork && (
        <Group justify="flex-end">
          <Button
            variant="default"
            disabled={isBusy || text.trim() === ''}
            onClick={() => void take({ action: 'comment', text: text.trim() })}
          >
            {t('triage.addComment')}
          </Button>
          {triage.state === 'open' ? (
            <Button loading={isBusy} onClick={() => void take({ action: 'resolve', resolution, ...typed })}>
              {t('triage.resolve')}
            </Button>
          ) : (
            <Button loading={isBusy} onClick={() => void take({ action: 'reopen', ...typed })}>
              {t('triage.reopen')}
            </Button>
          )}
        </Group>
      )}
    </Stack>
  );
}
