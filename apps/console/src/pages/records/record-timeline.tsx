import { Text, Title } from '@mantine/core';
import { useTranslation } from 'react-i18next';
import type { AnswerRecord } from '@answer-evidence/contracts';
import { Actor } from '../../components/actor.tsx';
import { PlainText } from '../../components/plain-text.tsx';
import { Time } from '../../components/time.tsx';
import classes from './record.module.css';

/** Every entry about the record, in the order of the log: what happened, who did it, and why. */
export function RecordTimeline({ record }: { readonly record: AnswerRecord }) {
  const { t } = useTranslation();
  const events = record.events ?? [];
  return (
    <section aria-labelledby="timeline" className={classes['section']}>
      <Title order={2} size="h4" id="timeline">
        {t('timeline.title')}
      </Title>
      <ol className={classes['timeline']}>
        <li>
          <strong>{t('timeline.recorded')}</strong> <Time at={record.created_at} />
          <Text size="sm">
            <Actor actor={record.created_by} />
          </Text>
        </li>
        {events.map((event) => (
          <li key={event.id}>
            <strong>{t(`timeline.${event.event_type}`)}</strong> <Time at={event.created_at} />
            <Text size="sm">
              <Actor actor={event.actor} /> · {t('timeline.leaf', { leaf: event.ledger.leaf_index })}
            </Text>
            {event.reason_tombstone === undefined ? (
              event.reason !== null && (
                <Text className="wrapped">
                  <PlainText text={event.reason} />
                </Text>
              )
            ) : (
              <Text fs="italic">{t('timeline.reasonErased')}</Text>
            )}
            {event.erasure !== null && (
              <Text size="sm">
                {t('timeline.erased')} <Time at={event.erasure.online_at} />. {t('timeline.backups')}{' '}
                <Time at={event.erasure.backups_until} />.
              </Text>
            )}
          </li>
        ))}
      </ol>
    </section>
  );
}
