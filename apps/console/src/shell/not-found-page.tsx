import { Text } from '@mantine/core';
import { useTranslation } from 'react-i18next';
import { PageHead } from '../components/page-head.tsx';

/** An address that leads nowhere. */
export function NotFoundPage() {
  const { t } = useTranslation();
  return (
    <>
      <PageHead title={t('errors.noPage')} />
      <Text c="dimmed">{t('errors.noPageText')}</Text>
    </>
  );
}
