import { Alert } from '@mantine/core';
import { useTranslation } from 'react-i18next';

/** What a failover of the database would cost now; nothing where it costs nothing. */
export function StandbyWarning({ asynchronousStandbys }: { readonly asynchronousStandbys: number }) {
  const { t } = useTranslation();
  if (asynchronousStandbys === 0) return null;
  return (
    <Alert color="yellow" role="status" title={t('trust.lossTitle')} className="wrapped" mb="md">
      {t('trust.lossText')}
    </Alert>
  );
}
