import { Alert, Button, Text } from '@mantine/core';
import { useNavigate, useSearch } from '@tanstack/react-router';
import { useState } from 'react';
import { useTranslation } from 'react-i18next';
import { type DeadLetter, isJobTopic } from '@answer-evidence/contracts';
import { ActionError } from '../../components/action-error.tsx';
import type { Column } from '../../components/data-table.tsx';
import { EmptyState } from '../../components/empty-state.tsx';
import { PagedTable } from '../../components/paged-table.tsx';
import { PlainText } from '../../components/plain-text.tsx';
import { Time } from '../../components/time.tsx';
import { useAction } from '../../components/use-action.ts';
import { useSession } from '../../session/session-context.tsx';
import { useReload, useWorkspacePage } from '../../session/workspace-query.ts';

/** Work that failed too often, of every kind, and waits for a manager to have it tried again. */
export function GivenUp() {
  const { t } = useTranslation();
  const { may } = useSession();
  return may('deadletters') ? <DeadLetters /> : <Alert>{t('errors.forbidden')}</Alert>;
}

function DeadLetters() {
  const { t } = useTranslation();
  const { client } = useSession();
  const { cursor } = useSearch({ from: '/opentelemetry' });
  const navigate = useNavigate({ from: '/opentelemetry' });
  const reload = useReload();
  const [replayed, setReplayed] = useState<string | null>(null);
  const { isBusy, error, run } = useAction();
  const list = useWorkspacePage(['otel', 'given-up'], cursor, (client, at) => client.deadLetters.list(at));
  const replay = (id: string) =>
    run(async () => {
      setReplayed(null);
      const { topic } = await client.deadLetters.replay(id);
      setReplayed(topic);
      await reload('otel', 'given-up');
    });
  const nameOf = (topic: string) => (isJobTopic(topic) ? t(`topics.${topic.replace('.', '_')}`) : topic);
  const columns: readonly Column<DeadLetter>[] = [
    {
      id: 'topic',
      title: t('givenUp.work'),
      cell: ({ topic, subject }) => (
        <>
          <PlainText text={nameOf(topic)} />
          <Text size="xs" c="dimmed" className="mono">
            <PlainText text={subject ?? topic} />
          </Text>
        </>
      ),
    },
    {
      id: 'reason',
      title: t('otel.reason'),
      cell: ({ reason }) => (
        <>
          <PlainText text={reason.detail} />
          <Text size="xs" c="dimmed">
            <code>{reason.code}</code>
          </Text>
        </>
      ),
    },
    { id: 'attempts', title: t('givenUp.attempts'), cell: ({ attempts }) => attempts, isMinor: true },
    { id: 'failed', title: t('givenUp.failed'), cell: ({ failed_at: at }) => <Time at={at} />, isMinor: true },
    {
      id: 'actions',
      title: t('common.actions'),
      cell: ({ id, topic }) => (
        <Button
          size="compact-sm"
          variant="default"
          disabled={isBusy}
          aria-label={t('givenUp.replayOf', { work: nameOf(topic) })}
          onClick={() => void replay(id)}
        >
          {t('givenUp.replay')}
        </Button>
      ),
    },
  ];
  return (
    <>
      <ActionError error={error} />
      {replayed !== null && (
        <Alert color="green" role="status" mb="md">
          <PlainText text={t('givenUp.replayed', { work: nameOf(replayed) })} />
        </Alert>
      )}
      <PagedTable
        caption={t('otelViews.given-up')}
        columns={columns}
        query={list}
        keyOf={({ id }) => id}
        cursor={cursor}
        empty={<EmptyState title={t('givenUp.none')}>{t('givenUp.noneText')}</EmptyState>}
        onPage={(at) => void navigate({ search: { view: 'given-up', ...at } })}
      />
    </>
  );
}
