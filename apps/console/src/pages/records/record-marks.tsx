import { useTranslation } from 'react-i18next';
import type { MarkedRecord } from '@answer-evidence/contracts';
import { Icon, type IconName } from '../../shell/icon.tsx';
import classes from './records.module.css';

type Mark = { readonly name: string; readonly icon: IconName; readonly isWarning?: boolean };

/** What tells a record apart: what became of it besides its status, who vouches for it, and what a list said of it. */
export function RecordMarks({ marked }: { readonly marked: MarkedRecord }) {
  const { t } = useTranslation();
  return (
    <span className={classes['marks']}>
      {listMarks(marked).map(({ name, icon, isWarning }) => (
        <span key={name} className={classes['mark']} data-warning={isWarning} title={t(`marks.${name}`)}>
          <Icon name={icon} size={14} />
          <span className="visually-hidden">{t(`marks.${name}`)}</span>
        </span>
      ))}
    </span>
  );
}

function listMarks(marked: MarkedRecord): readonly Mark[] {
  const { record, is_corrected, is_voided, is_redacted, is_witnessed, is_anchored, reconciled } = marked;
  const { status } = record;
  return [
    // The status says the last of these itself.
    ...(is_corrected && status !== 'corrected' ? [{ name: 'corrected', icon: 'pencil' } as const] : []),
    ...(is_voided && status !== 'voided' ? [{ name: 'voided', icon: 'struck' } as const] : []),
    ...(is_redacted && status !== 'redacted' ? [{ name: 'redacted', icon: 'eraser' } as const] : []),
    ...(is_witnessed === true ? [{ name: 'witnessed', icon: 'people' } as const] : []),
    ...(is_anchored === true ? [{ name: 'anchored', icon: 'shield' } as const] : []),
    ...(reconciled === 'matched' ? [{ name: 'matched', icon: 'checks' } as const] : []),
    ...(reconciled === 'findings' ? [{ name: 'findings', icon: 'warning', isWarning: true } as const] : []),
  ];
}
