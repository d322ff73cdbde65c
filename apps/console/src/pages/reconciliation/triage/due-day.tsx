import { useTranslation } from 'react-i18next';
import type { Triage } from '@answer-evidence/contracts';
import { Chip } from '../../../components/chip.tsx';
import { Time } from '../../../components/time.tsx';
import { formatDay } from '../../records/format-day.ts';
import { dayOf, isOverdue, isWholeDay } from './due.ts';

/** By when a finding is due: a day of UTC where it stands for one, else a time; red once it has passed. */
export function DueDay({ triage }: { readonly triage: Triage }) {
  const { i18n } = useTranslation();
  const { due_at: due } = triage;
  if (due === null || due === undefined) return '–';
  const shown = isWholeDay(due) ? (
    <time dateTime={due} title={`${due.slice(0, 19).replace('T', ' ')} UTC`}>
      {formatDay(dayOf(due), i18n.language)}
    </time>
  ) : (
    <Time at={due} />
  );
  return isOverdue(triage, Date.now()) ? (
    <Chip color="red" icon="warning">
      {shown}
    </Chip>
  ) : (
    shown
  );
}
