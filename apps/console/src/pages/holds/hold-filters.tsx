import { Text } from '@mantine/core';
import { useTranslation } from 'react-i18next';
import type { Hold } from '@answer-evidence/contracts';
import { PlainText } from '../../components/plain-text.tsx';

/** Midnight in UTC, as the log has it: the day alone says the same. */
const MIDNIGHT = /T00:00:00\.0{6}Z$/;

/** Which records a hold covers, in words. */
export function HoldFilters({ hold: { filters } }: { readonly hold: Pick<Hold, 'filters'> }) {
  const { t } = useTranslation();
  const named = Object.entries(filters ?? {});
  return (
    <Text size="xs" c="dimmed" component="div" className="wrapped">
      {filters === null && t('holdsPage.byIds')}
      {filters !== null && named.length === 0 && t('holdsPage.everything')}
      {named.map(([name, value]) => (
        <div key={name}>
          {t(`holdsPage.filters.${name}`)}: <PlainText text={value.replace(MIDNIGHT, '')} />
        </div>
      ))}
    </Text>
  );
}
