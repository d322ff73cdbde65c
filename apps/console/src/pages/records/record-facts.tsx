import { Title } from '@mantine/core';
import type { ReactNode } from 'react';
import { useTranslation } from 'react-i18next';
import { type AnswerRecord, RECORD_LABELS } from '@answer-evidence/contracts';
import { Actor } from '../../components/actor.tsx';
import { Copied, Label } from '../../components/copied.tsx';
import { PlainText } from '../../components/plain-text.tsx';
import { Time } from '../../components/time.tsx';
import classes from './record.module.css';

const SHOWN_KEYS = ['idempotency_key', ...RECORD_LABELS] as const;

/** Until when the texts are kept, extensions included. */
function findRetentionEnd({ retention_until: first, events = [] }: AnswerRecord): string {
  return events.reduce((latest, { event_type: type, payload }) => {
    const until = type === 'retention_extended' ? payload['retain_until'] : undefined;
    return typeof until === 'string' && Date.parse(until) > Date.parse(latest) ? until : latest;
  }, first);
}

/** Who recorded it, when, under which keys. */
export function RecordFacts({ record }: { readonly record: AnswerRecord }) {
  const { t } = useTranslation();
  const facts: readonly (readonly [string, ReactNode])[] = [
    [t('record.id'), <Copied text={record.id} />],
    [t('records.created'), <Time at={record.created_at} />],
    [t('record.by'), <Actor actor={record.created_by} />],
    [t('records.application'), <PlainText text={record.application_key} />],
    [t('records.environment'), <PlainText text={record.environment} />],
    ...SHOWN_KEYS.flatMap((key) =>
      record[key] === null ? [] : [[t(`keys.${key}`, key), <Label text={record[key]} />] as const],
    ),
    [t('record.retention'), <Time at={findRetentionEnd(record)} />],
    [t('records.leaf'), <span className="mono">{record.ledger.leaf_index}</span>],
  ];
  const corrected = record.events?.findLast(({ corrected_answer: one }) => one !== null)?.corrected_answer ?? null;
  const hashes: readonly (readonly [string, string | undefined])[] = [
    [t('record.hash'), record.record_hash],
    [t('record.questionHash'), record.question.hash],
    [t('record.answerHash'), record.answer.hash],
    [t('record.correctionHash'), corrected?.hash],
    [t('record.leafHash'), record.ledger.leaf_hash],
  ];
  return (
    <section aria-labelledby="facts" className={classes['section']}>
      <Title order={2} size="h4" id="facts">
        {t('record.facts')}
      </Title>
      <dl className={classes['pairs']}>
        {facts.map(([name, value]) => (
          <div key={name}>
            <dt>{name}</dt>
            <dd>{value}</dd>
          </div>
        ))}
      </dl>
      <details className={classes['folded']}>
        <summary>{t('record.hashes')}</summary>
        <dl className={classes['facts']}>
          {hashes.map(([name, hash]) =>
            hash === undefined ? null : (
              <div key={name}>
                <dt>{name}</dt>
                <dd>
                  <Copied text={hash} />
                </dd>
              </div>
            ),
          )}
        </dl>
      </details>
    </section>
  );
}
