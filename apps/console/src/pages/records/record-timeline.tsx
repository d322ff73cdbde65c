import { Text, Title } from '@mantine/core';
import { Link } from '@tanstack/react-router';
import type { ReactNode } from 'react';
import { useTranslation } from 'react-i18next';
import type { AnswerRecord, LifecycleEvent, WorkspaceEntryItem } from '@answer-evidence/contracts';
import { Actor } from '../../components/actor.tsx';
import { ErrorState } from '../../components/error-state.tsx';
import { PlainText } from '../../components/plain-text.tsx';
import { Time } from '../../components/time.tsx';
import { useSession } from '../../session/session-context.tsx';
import { useWorkspaceQuery } from '../../session/workspace-query.ts';
import { ReadingRuleNote } from '../log/reading-rule-note.tsx';
import classes from './record.module.css';

/** So many readings stand among the events; the log has all of them. */
const READINGS_MAX = 20;

/** Every entry about the record in the order of the log: what happened, who did it, and why; for managers who read it. */
export function RecordTimeline({ record }: { readonly record: AnswerRecord }) {
  const { t } = useTranslation();
  const { may } = useSession();
  const query = useWorkspaceQuery(
    ['reveals', record.id],
    (client) => client.entries.list({ answer_log_id: record.id }, { size: READINGS_MAX }),
    { enabled: may('entries.read') },
  );
  const readings = query.data?.items ?? [];
  const total = query.data?.total ?? 0;
  const steps: readonly { readonly leaf: number; readonly key: string; readonly node: ReactNode }[] = [
    ...(record.events ?? []).map((event) => ({
      leaf: event.ledger.leaf_index,
      key: event.id,
      node: <Happened event={event} />,
    })),
    ...readings.map((entry) => ({ leaf: entry.ledger.leaf_index, key: entry.id, node: <Reading entry={entry} /> })),
  ].toSorted((a, b) => a.leaf - b.leaf);
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
        {steps.map(({ key, node }) => (
          <li key={key}>{node}</li>
        ))}
      </ol>
      {query.isError && <ErrorState error={query.error} onRetry={() => void query.refetch()} />}
      {query.isSuccess && readings.length === 0 && <Text c="dimmed">{t('reveals.none')}</Text>}
      {may('settings.read') && <ReadingRuleNote />}
      {total > readings.length && (
        <Link to="/log" search={{ answer_log_id: record.id }}>
          {t('reveals.all', { count: total })}
        </Link>
      )}
    </section>
  );
}

function Happened({ event }: { readonly event: LifecycleEvent }) {
  const { t } = useTranslation();
  return (
    <>
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
    </>
  );
}

function Reading({ entry }: { readonly entry: WorkspaceEntryItem }) {
  const { t } = useTranslation();
  /** Why, if they said it, and by which way they got the texts, if it was no reveal. */
  const how = ({ reason_code: code, operation }: WorkspaceEntryItem['core']) =>
    [
      typeof code === 'string' ? t(`reveal.codes.${code}`, { defaultValue: code }) : t('reveals.noReason'),
      ...(typeof operation === 'string' ? [t(`readingsBy.${operation}`, { defaultValue: operation })] : []),
    ].join(' · ');
  const { id, actor, names, core, created_at: at, ledger } = entry;
  return (
    <>
      <strong>{t('timeline.read')}</strong> <Time at={at} />
      <Text size="sm">
        {actor !== null && <Actor actor={actor} names={names} />} · <PlainText text={how(core)} /> ·{' '}
        <Link to="/log/$entryId" params={{ entryId: id }}>
          {t('timeline.leaf', { leaf: ledger.leaf_index })}
        </Link>
      </Text>
      <Text className="wrapped">
        <PlainText text={textOf(core['reason'])} />
      </Text>
    </>
  );
}

function textOf(value: unknown): string {
  return typeof value === 'string' ? value : '';
}
