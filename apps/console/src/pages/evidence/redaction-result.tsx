import { Alert, Text } from '@mantine/core';
import { Link } from '@tanstack/react-router';
import { useTranslation } from 'react-i18next';
import type { Erasure, RedactedEvidence } from '@answer-evidence/contracts';
import { Time } from '../../components/time.tsx';

type Props = { readonly assets: readonly RedactedEvidence[]; readonly erasure: Erasure | null };

/** What a redaction took away of each asset, what became of the bytes, and which other assets still have them. */
export function RedactionResult({ assets, erasure }: Props) {
  const { t } = useTranslation();
  return (
    <Alert color="green" role="status" title={t('redactEvidence.done')} mb="md">
      {assets.map((one) => (
        <div key={one.entry_id}>
          <Text>
            <Link to="/evidence/$assetId" params={{ assetId: one.asset_id }} className="mono">
              {one.asset_id}
            </Link>{' '}
            ·{' '}
            {one.segment_ids === null
              ? t('redactEvidence.allGone')
              : t('redactEvidence.someGone', { count: one.segment_ids.length })}{' '}
            {t(`redactedOriginals.${one.original}`)}
          </Text>
          <AlsoHeld ids={one.also_held_by} />
        </div>
      ))}
      {erasure !== null && (
        <Text size="sm">
          {t('timeline.erased')} <Time at={erasure.online_at} />. {t('timeline.backups')}{' '}
          <Time at={erasure.backups_until} />.
        </Text>
      )}
    </Alert>
  );
}

/** Other assets with the same bytes, which stay readable; nothing where there are none. */
export function AlsoHeld({ ids }: { readonly ids: readonly string[] }) {
  const { t } = useTranslation();
  if (ids.length === 0) return null;
  return (
    <>
      <Text>{t('redactEvidence.alsoHeld')}</Text>
      <ul className="plain-list">
        {ids.map((id) => (
          <li key={id}>
            <Link to="/evidence/$assetId" params={{ assetId: id }} className="mono">
              {id}
            </Link>
          </li>
        ))}
      </ul>
    </>
  );
}
