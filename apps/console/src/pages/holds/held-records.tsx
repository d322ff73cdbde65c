import { Link } from '@tanstack/react-router';
import { useTranslation } from 'react-i18next';
import type { Hold } from '@answer-evidence/contracts';
import { HoldFilters } from './hold-filters.tsx';

/** How many records a hold covers now, which leads to them, and by what. */
export function HeldRecords({ hold }: { readonly hold: Hold }) {
  const { t, i18n } = useTranslation();
  const count = new Intl.NumberFormat(i18n.language).format(hold.records.count);
  return (
    <>
      <Link to="/holds" search={{ hold: hold.id }}>
        {t('holdsPage.showRecords', {
          records: hold.records.relation === 'gte' ? t('holdsPage.atLeast', { records: count }) : count,
          count: hold.records.count,
        })}
      </Link>
      <HoldFilters hold={hold} />
    </>
  );
}
