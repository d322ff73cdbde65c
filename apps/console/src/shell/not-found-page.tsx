import { useTranslation } from 'react-i18next';
import { EmptyState } from '../components/empty-state.tsx';

/** An address that leads nowhere. */
export function NotFoundPage() {
  const { t } = useTranslation();
  return <EmptyState title={t('errors.noPage')}>{t('errors.noPageText')}</EmptyState>;
}
