import type { ComponentProps } from 'react';
import { useTranslation } from 'react-i18next';
import type { RecordStatus } from '@answer-evidence/contracts';
import { Chip } from './chip.tsx';

const LOOKS: Readonly<Record<RecordStatus, Pick<ComponentProps<typeof Chip>, 'color' | 'icon'>>> = {
  recorded: { color: 'gray' },
  corrected: { color: 'yellow', icon: 'pencil' },
  voided: { color: 'red', icon: 'struck' },
  redacted: { color: 'gray', icon: 'eraser' },
};

/** The status of a record, in words, color and shape. */
export function StatusChip({ status }: { readonly status: RecordStatus }) {
  const { t } = useTranslation();
  return <Chip {...LOOKS[status]}>{t(`status.${status}`)}</Chip>;
}
