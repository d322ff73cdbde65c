import { Text, Title } from '@mantine/core';
import { useTranslation } from 'react-i18next';
import type { AnchorItem, TrustPolicy } from '@answer-evidence/contracts';
import { Chip } from '../../components/chip.tsx';
import { type Column, DataTable } from '../../components/data-table.tsx';
import { PlainText } from '../../components/plain-text.tsx';
import { Time } from '../../components/time.tsx';

const COLORS = { pending: 'yellow', confirmed: 'green', failed: 'red' } as const;

type Props = { readonly anchors: readonly AnchorItem[]; readonly policy: Pick<TrustPolicy, 'anchors'> };

/** The newest anchors, each with what the other side said last; one that fails and is required is red. */
export function AnchorTable({ anchors, policy }: Props) {
  const { t } = useTranslation();
  const isRequired = (id: string) => policy.anchors.some((one) => one.id === id && 'required' in one && one.required);
  const columns: readonly Column<AnchorItem>[] = [
    {
      id: 'anchor',
      title: t('anchors.anchor'),
      cell: ({ anchor_id: id, type, renews }) => (
        <>
          <PlainText text={id} />{' '}
          <span className="muted">
            {renews === undefined ? t(`anchors.${type}`, { defaultValue: type }) : t('anchors.renewal')}
          </span>
          {isRequired(id) && (
            <Text size="xs" c="dimmed">
              {t('anchors.required')}
            </Text>
          )}
        </>
      ),
    },
    { id: 'size', title: t('anchors.tree'), cell: ({ tree_size: size }) => t('trust.entries', { count: size }) },
    {
      id: 'state',
      title: t('anchors.state'),
      cell: ({ anchor_id: id, state, attempts }) =>
        state === 'pending' && attempts.at(-1)?.outcome === 'failed' ? (
          <Chip color={isRequired(id) ? 'red' : 'yellow'}>{t('anchors.failing')}</Chip>
        ) : (
          <Chip color={state === 'failed' && !isRequired(id) ? 'yellow' : COLORS[state]}>{t(`anchors.${state}`)}</Chip>
        ),
    },
    {
      id: 'at',
      title: t('anchors.at'),
      cell: (anchor) => <Time at={anchor.anchored_at ?? anchor.created_at} />,
      isMinor: true,
    },
    {
      id: 'words',
      title: t('trust.words'),
      cell: ({ attempts }) => {
        const last = attempts.at(-1);
        return last === undefined ? t('anchors.notTried') : <PlainText text={last.detail} />;
      },
      isMinor: true,
    },
  ];
  return (
    <section aria-labelledby="anchors" className="section">
      <Title order={2} size="h4" id="anchors" mb="sm">
        {t('anchors.title')}
      </Title>
      {anchors.length === 0 ? (
        <Text c="dimmed">{t('anchors.none')}</Text>
      ) : (
        <DataTable caption={t('anchors.title')} columns={columns} rows={anchors.slice(0, 10)} keyOf={({ id }) => id} />
      )}
    </section>
  );
}
