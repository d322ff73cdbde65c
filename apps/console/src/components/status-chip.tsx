import { useTranslation } from 'react-i18next';
import type { RecordStatus } from '@answer-evidence/contracts';
import { Chip } from './chip.tsx';

const COLORS: Readonly<Record<RecordStatus, React.ComponentProps<typeof Chip>['color']>> = {
  recorded: 'gray',
  corrected: 'blue',
  voided: 'yellow',
  redacted: 'red',
};

/** The status of a record, in words and in color. */
export function StatusChip({ status }: { readonly status: RecordStatus }) {
  const { t } = useTranslation();
  return <Chip color={COLORS[status]}>{t(`status.${status}`)}</Chip>;
}
