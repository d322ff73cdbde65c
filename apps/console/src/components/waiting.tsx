import { Loader } from '@mantine/core';
import { useTranslation } from 'react-i18next';

/** A part of a page that is on its way. */
export function Waiting() {
  const { t } = useTranslation();
  return (
    <div className="empty" role="status" aria-label={t('common.loading')}>
      <Loader type="dots" />
    </div>
  );
}
