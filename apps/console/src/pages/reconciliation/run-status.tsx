import { useTranslation } from 'react-i18next';
import type { ReconciliationRun } from '@answer-evidence/contracts';
import { Chip } from '../../components/chip.tsx';

const COLORS = { queued: 'gray', running: 'blue', completed: 'green', failed: 'red' } as const;

/** How far a run has come. */
export function RunStatus({ run: { status, progress } }: { readonly run: ReconciliationRun }) {
  const { t } = useTranslation();
  return (
    <Chip color={COLORS[status]}>
      {t(`runs.${status}`)} {status === 'running' && `${progress} %`}
    </Chip>
  );
}
