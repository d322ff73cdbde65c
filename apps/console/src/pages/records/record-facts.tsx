import { Title } from '@mantine/core';
import type { ReactNode } from 'react';
import { useTranslation } from 'react-i18next';
import type { AnswerRecord } from '@answer-evidence/contracts';
import { Time } from '../../components/time.tsx';
import classes from './record.module.css';

/** Who recorded it, when, under which keys. */
export function RecordFacts({ record }: { readonly record: AnswerRecord }) {
  const { t } = useTranslation();
  const keys = [
    'external_message_id',
    'external_trace_id',
    'idempotency_key',
    'actor_id_hash',
    'session_id_hash',
    'mode',
  ] as const;
  const facts: readonly (readonly [string, ReactNode])[] = [
    [t('record.id'), <bdi className="mono">{record.id}</bdi>],
    [t('records.created'), <Time at={record.created_at} />],
    [t('record.by'), <bdi>{`${t(`actors.${record.created_by.kind}`)} ${record.created_by.id}`}</bdi>],
    [t('records.application'), <bdi>{record.application_key}</bdi>],
    [t('records.environment'), <bdi>{record.environment}</bdi>],
    ...keys.flatMap((key) =>
      record[key] === null ? [] : [[t(`keys.${key}`), <bdi className="mono">{record[key]}</bdi>] as const],
    ),
    [t('record.retention'), <Time at={record.retention_until} />],
    [t('records.leaf'), <span className="mono">{record.ledger.leaf_index}</span>],
    [t('record.hash'), <span className="mono">{record.record_hash}</span>],
  ];
  return (
    <section aria-labelledby="facts" className={classes['section']}>
      <Title order={2} size="h4" id="facts">
        {t('record.facts')}
      </Title>
      <dl className={classes['facts']}>
        {facts.map(([name, value]) => (
          <div key={name}>
            <dt>{name}</dt>
            <dd>{value}</dd>
          </div>
        ))}
      </dl>
    </section>
  );
}
