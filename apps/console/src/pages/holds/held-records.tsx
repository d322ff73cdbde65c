import { Text } from '@mantine/core';
import { useTranslation } from 'react-i18next';
import type { Hold } from '@answer-evidence/contracts';
import { PlainText } from '../../components/plain-text.tsx';

/** How many records a hold covers now, and by what. */
export function HeldRecords({ hold: { filters, records } }: { readonly hold: Hold }) {
  const { t, i18n } = useTranslation();
  const count = new Intl.NumberFormat(i18n.language).format(records.count);
  const named = Object.entries(filters ?? {}).map(([name, value]) => `${name}: ${value}`);
  return (
    <>
      {records.relation === 'gte' ? t('holdsPage.atLeast', { records: count }) : count}
      <Text size="xs" c="dimmed">
        {filters === null && t('holdsPage.byIds')}
        {filters !== null && named.length === 0 && t('holdsPage.everything')}
        <PlainText text={named.join(' · ')} />
      </Text>
    </>
  );
}
