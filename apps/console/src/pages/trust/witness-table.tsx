import { Text, Title } from '@mantine/core';
import { useTranslation } from 'react-i18next';
import type { WitnessItem } from '@answer-evidence/contracts';
import { type Column, DataTable } from '../../components/data-table.tsx';
import { PlainText } from '../../components/plain-text.tsx';
import { Time } from '../../components/time.tsx';

type Props = { readonly witnesses: readonly WitnessItem[]; readonly signed: number };

/** Every witness of the policy: how far it has cosigned, and what it said when it did not. */
export function WitnessTable({ witnesses, signed }: Props) {
  const { t } = useTranslation();
  const columns: readonly Column<WitnessItem>[] = [
    {
      id: 'name',
      title: t('trust.witness'),
      cell: ({ name, url }) => (
        <>
          <PlainText text={name} />
          {url !== null && (
            <Text size="xs" c="dimmed">
              <PlainText text={url} />
            </Text>
          )}
        </>
      ),
    },
    {
      id: 'size',
      title: t('trust.cosigned'),
      cell: ({ tree_size: size }) =>
        size === null ? (
          t('trust.never')
        ) : (
          <>
            {t('trust.entries', { count: size })}
            {size < signed && ` · ${t('trust.lag', { count: signed - size })}`}
          </>
        ),
    },
    {
      id: 'words',
      title: t('trust.words'),
      cell: (witness) =>
        witness.last_error === null ? (
          t('trust.noFailure')
        ) : (
          <>
            <PlainText text={witness.last_error} />
            <Text size="xs" c="dimmed">
              {t('trust.failures', { count: witness.failures })}
              {witness.next_attempt_at !== null && (
                <>
                  {' · '}
                  {t('trust.next')} <Time at={witness.next_attempt_at} />
                </>
              )}
            </Text>
          </>
        ),
    },
  ];
  return (
    <section aria-labelledby="witnesses" className="section">
      <Title order={2} size="h4" id="witnesses" mb="sm">
        {t('trust.witnesses')}
      </Title>
      {witnesses.length === 0 ? (
        <Text c="dimmed">{t('trust.noWitness')}</Text>
      ) : (
        <DataTable caption={t('trust.witnesses')} columns={columns} rows={witnesses} keyOf={({ vkey }) => vkey} />
      )}
    </section>
  );
}
