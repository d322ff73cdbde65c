import { Badge } from '@mantine/core';
import { useTranslation } from 'react-i18next';
import type { RecordStatus } from '@answer-evidence/contracts';

const COLORS: Readonly<Record<RecordStatus, string>> = {
  recorded: 'gray',
  corrected: 'blue',
  voided: 'yellow',
  redacted: 'red',
};

/** The status of a record, in words and in color. */
export function StatusChip({ status }: { readonly status: RecordStatus }) {
  const { t } = useTranslation();
  return (
    <Badge variant="light" color={COLORS[status]} radius="sm" tt="none" className="chip">
      {t(`status.${status}`)}
    </Badge>
  );
}
