import { useTranslation } from 'react-i18next';
import type { ReconciliationRun } from '@answer-evidence/contracts';
import { Chip } from '../../components/chip.tsx';

const COLORS = { queued: 'gray', running: 'blue', completed: 'green', failed: 'red' } as const;

/** How far a run has come and, apart from that, whether every answer of the list has its record. */
export function RunStatus({ run: { status, progress, counts } }: { readonly run: ReconciliationRun }) {
  const { t } = useTranslation();
  return (
    <span className="chips">
      <Chip color={COLORS[status]}>
        {t(`runs.${status}`)} {status === 'running' && `${progress} %`}
      </Chip>
      {counts !== null &&
        (counts.missing_service > 0 ? (
          <Chip color="red">{t('runs.missing', { count: counts.missing_service })}</Chip>
        ) : (
          <Chip color="gray">{t('runs.noneMissing')}</Chip>
        ))}
      {counts !== null && counts.late_service > 0 && (
        <Chip color="yellow">{t('runs.late', { count: counts.late_service })}</Chip>
      )}
    </span>
  );
}
