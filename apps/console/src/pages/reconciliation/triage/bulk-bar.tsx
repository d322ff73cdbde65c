import { Button, Group, Text } from '@mantine/core';
import { useQueryClient } from '@tanstack/react-query';
import { useState } from 'react';
import { useTranslation } from 'react-i18next';
import type { TriagedFinding, TriageStepRequest } from '@answer-evidence/contracts';
import { ActionError } from '../../../components/action-error.tsx';
import { useAction } from '../../../components/use-action.ts';
import { useSession } from '../../../session/session-context.tsx';
import { AssigneeChoice } from './assignee-choice.tsx';
import { ResolveDialog } from './resolve-dialog.tsx';

type Props = {
  readonly runId: string;
  readonly selected: readonly TriagedFinding[];
  readonly onDone: () => void;
};

/**
 * What can be done about several findings at once: one step each, with the version that the table shows. What somebody
 * else has changed stops it, and what was done until then stays.
 */
export function BulkBar({ runId, selected, onDone }: Props) {
  const { t } = useTranslation();
  const { client, session, isManager } = useSession();
  const queries = useQueryClient();
  const { isBusy, error, run } = useAction();
  const [isResolving, setResolving] = useState(false);
  const open = selected.filter(({ triage }) => triage.state === 'open');
  const mine = session.member.id;
  const free = open.filter(({ triage }) => triage.assignee?.id !== mine);

  async function takeSteps(findings: readonly TriagedFinding[], step: TriageStepRequest): Promise<void> {
    try {
      for (const { position, triage } of findings)
        await client.reconciliations.takeStep(runId, position, { ...step, version: triage.version });
    } finally {
      await queries.invalidateQueries({ queryKey: ['triage', session.workspace.id, runId] });
    }
    onDone();
  }

  if (selected.length === 0 && error === null) return null;
  return (
    <>
      <Group align="end" mb="sm">
        <Text size="sm">{t('triage.selected', { count: selected.length })}</Text>
        <Button
          size="compact-sm"
          variant="default"
          disabled={free.length === 0}
          loading={isBusy}
          onClick={() => void run(() => takeSteps(free, { action: 'assign', assignee_id: mine }))}
        >
          {t('triage.take')}
        </Button>
        {isManager && open.length > 0 && (
          <AssigneeChoice
            label={t('triage.assignTo')}
            value=""
            onChange={(id) => {
              if (id !== '') void run(() => takeSteps(open, { action: 'assign', assignee_id: id }));
            }}
          />
        )}
        <Button size="compact-sm" disabled={open.length === 0 || isBusy} onClick={() => setResolving(true)}>
          {t('triage.resolve')}
        </Button>
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
