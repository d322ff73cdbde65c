import { Title } from '@mantine/core';
import type { ReactNode } from 'react';
import { useTranslation } from 'react-i18next';
import type { EvidenceAsset } from '@answer-evidence/contracts';
import { Actor } from '../../components/actor.tsx';
import { formatSize } from '../../components/format-size.ts';
import { PlainText } from '../../components/plain-text.tsx';
import { Time } from '../../components/time.tsx';
import classes from './evidence.module.css';

/** What an asset is, how long it is kept, and what became of it: nothing of what is in it. */
export function AssetFacts({ asset }: { readonly asset: EvidenceAsset }) {
  const { t, i18n } = useTranslation();
  const mono = (text: string) => (
    <span className="mono">
      <PlainText text={text} />
    </span>
  );
  const known = (name: string, value: string | null, show: (text: string) => ReactNode = mono) =>
    value === null ? [] : [[name, show(value)] as const];
  const facts: readonly (readonly [string, ReactNode])[] = [
    [t('assetKeys.asset_id'), mono(asset.id)],
    [t('evidence.kind'), t(`assetKinds.${asset.kind}`)],
    ...known(t('evidence.contentType'), asset.content_type),
    ...(asset.size_bytes === null ? [] : [[t('evidence.size'), formatSize(asset.size_bytes, i18n.language)] as const]),
    [t('evidence.segments'), asset.segment_count],
    [t('records.application'), <PlainText text={asset.application_key} />],
    ...known(t('keys.idempotency_key'), asset.idempotency_key),
    ...known(t('evidence.uri'), asset.external_uri),
    ...Object.entries(asset.attributes).map(
      ([name, value]) =>
        [name, <PlainText text={typeof value === 'string' ? value : JSON.stringify(value)} />] as const,
    ),
    [t('evidence.created'), <Time at={asset.created_at} />],
    [t('evidence.by'), <Actor actor={asset.created_by} />],
    [
      t('evidence.original'),
      <>
        {t(`originals.${asset.original}`)}{' '}
        {asset.original_deleted_at !== null && (
          <>
            {t('evidence.deletedAt')} <Time at={asset.original_deleted_at} />
          </>
        )}
      </>,
    ],
    [
      t('evidence.retention'),
      <>
        <Time at={asset.retention_until} /> <span className="muted">{t('evidence.retentionText')}</span>
      </>,
    ],
    ...(asset.erasure === null
      ? []
      : [
          [t('timeline.erased'), <Time at={asset.erasure.online_at} />] as const,
          [t('timeline.backups'), <Time at={asset.erasure.backups_until} />] as const,
        ]),
    [t('records.leaf'), mono(String(asset.ledger.leaf_index))],
  ];
  const hashes: readonly (readonly [string, ReactNode])[] = [
    ...known(t('assetKeys.content_hash'), asset.content_hash),
    [t('evidence.hash'), mono(asset.evidence_hash)],
    ...known(t('evidence.root'), asset.segments_root),
  ];
  return (
    <section aria-labelledby="facts" className="section">
      <Title order={2} size="h4" id="facts">
        {t('evidence.facts')}
      </Title>
      <Facts facts={facts} />
      <details className={classes['folded']}>
        <summary>{t('record.hashes')}</summary>
        <Facts facts={hashes} />
      </details>
    </section>
  );
}

function Facts({ facts }: { readonly facts: readonly (readonly [string, ReactNode])[] }) {
  return (
    <dl className={classes['facts']}>
      {facts.map(([name, value], at) => (
        <div key={at}>
          <dt>
            <PlainText text={name} />
          </dt>
          <dd>{value}</dd>
        </div>
      ))}
    </dl>
  );
}
