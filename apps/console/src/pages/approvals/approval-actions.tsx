import { Button, Group } from '@mantine/core';
import { useTranslation } from 'react-i18next';
import type { Approval } from '@answer-evidence/contracts';

/** How a request can end by what its reader does. */
export type Decision = 'approve' | 'decline' | 'withdraw';

type Props = {
  readonly one: Approval;
  readonly isOwn: boolean;
  readonly onChoose: (decision: Decision) => void;
};

/** What its reader may do about a request: who asked cannot approve. */
export function ApprovalActions({ one, isOwn, onChoose }: Props) {
  const { t } = useTranslation();
  const decisions: readonly Decision[] = isOwn ? ['withdraw'] : ['approve', 'decline'];
  return (
    <Group gap="xs">
      {decisions.map((decision) => (
        <Button
          key={decision}
          size="compact-sm"
          variant={decision === 'approve' ? 'filled' : 'default'}
          aria-label={`${t(`approvals.${decision}`)}: ${t(`approvals.acts.${one.act}`, { defaultValue: one.act })}`}
          onClick={() => onChoose(decision)}
        >
          {t(`approvals.${decision}`)}
        </Button>
      ))}
    </Group>
  );
}
