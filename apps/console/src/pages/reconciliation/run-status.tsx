import { Badge } from '@mantine/core';
import { useTranslation } from 'react-i18next';
import type { ReconciliationRun } from '@answer-evidence/contracts';

const COLORS = { queued: 'gray', running: 'blue', completed: 'green', failed: 'red' } as const;

/** How far a run has come. */
export function RunStatus({ run: { status, progress } }: { readonly run: ReconciliationRun }) {
  const { t } = useTranslation();
  return (
    <Badge variant="light" color={COLORS[status]} radius="sm">
      {t(`runs.${status}`)} {status === 'running' && `${progress} %`}
    </Badge>
  );
}
