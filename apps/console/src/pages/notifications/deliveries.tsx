import { Button, Group, NativeSelect, Text, Title } from '@mantine/core';
import { useNavigate, useSearch } from '@tanstack/react-router';
import { useTranslation } from 'react-i18next';
import type { NotificationDelivery, NotificationTarget } from '@answer-evidence/contracts';
import { ActionError } from '../../components/action-error.tsx';
import { Chip } from '../../components/chip.tsx';
import type { Column } from '../../components/data-table.tsx';
import { EmptyState } from '../../components/empty-state.tsx';
import { PagedTable } from '../../components/paged-table.tsx';
import { PlainText } from '../../components/plain-text.tsx';
import { Time } from '../../components/time.tsx';
import { useAction } from '../../components/use-action.ts';
import { useSession } from '../../session/session-context.tsx';
import { useReload, useWorkspacePage } from '../../session/workspace-query.ts';
import { nameType } from './name-type.ts';

const STATES = ['pending', 'delivered', 'failed'] as const;
const COLORS = { pending: 'blue', delivered: 'green', failed: 'red' } as const;
/** A test or a replay is under way for a second or two. */
const REFRESH_MS = 3_000;

/** What a target got and is to get, newest first, and what came of each attempt. */
export function Deliveries({ target }: { readonly target: NotificationTarget }) {
  const { t } = useTranslation();
  const { client } = useSession();
  const search = useSearch({ from: '/notifications' });
  const navigate = useNavigate({ from: '/notifications' });
  const reload = useReload();
  const { isBusy, error, run } = useAction();
  const { cursor } = search;
  const state = STATES.find((one) => one === search['state']);
  const at = { target: target.id, ...(state === undefined ? {} : { state }) };
  const list = useWorkspacePage(
    ['notifications', 'deliveries', target.id, state ?? null],
    cursor,
    (client, from) =>
      client.notifications.deliveries(target.id, { ...(state === undefined ? {} : { state }), ...from }),
    { refetchInterval: REFRESH_MS },
  );
  const replay = (id: string) =>
    void run(async () => {
      await client.notifications.replay(target.id, id);
      await reload('notifications', 'deliveries', target.id);
    });
  const columns: readonly Column<NotificationDelivery>[] = [
    {
      id: 'what',
      title: t('notifications.what'),
      cell: ({ body }) => (
        <>
          {nameType(body.type, t)}
          <Text size="xs" c="dimmed">
            <PlainText text={body.data.sentence} />
          </Text>
        </>
      ),
    },
    {
      id: 'state',
      title: t('notifications.state'),
      cell: (delivery) => (
        <>
          <Chip color={COLORS[delivery.state]}>{t(`deliveryStates.${delivery.state}`)}</Chip>
          {delivery.delivered_at !== null && (
            <Text size="xs" c="dimmed">
              <Time at={delivery.delivered_at} />
            </Text>
          )}
        </>
      ),
    },
    {
      id: 'attempts',
      title: t('notifications.attempts'),
      cell: ({ attempts, last_status: status, last_error: failure }) => (
        <>
          {attempts}
          {status !== null && ` · HTTP ${status}`}
          {failure !== null && (
            <Text size="xs" c="dimmed">
              <PlainText text={failure} />
            </Text>
          )}
        </>
      ),
      isMinor: true,
    },
    { id: 'at', title: t('notifications.at'), cell: ({ created_at: made }) => <Time at={made} />, isMinor: true },
    {
      id: 'actions',
      title: t('common.actions'),
      cell: ({ notification_id: id, state: now }) =>
        now !== 'pending' && (
          <Button
            size="compact-sm"
            variant="default"
            disabled={isBusy || target.state === 'disabled'}
            aria-label={t('notifications.replayOf', { id })}
            onClick={() => replay(id)}
          >
            {t('notifications.replay')}
          </Button>
        ),
    },
  ];
  return (
    <section aria-labelledby="deliveries" className="section">
      <div className="page-head">
        <Title order={2} size="h4" id="deliveries">
          {t('notifications.deliveries')} <PlainText text={target.name} />
        </Title>
        <Group>
          <NativeSelect
            aria-label={t('notifications.show')}
            value={state ?? ''}
            onChange={({ currentTarget: { value } }) =>
              void navigate({ search: { target: target.id, ...(value === '' ? {} : { state: value }) } })
            }
            data={[
              { value: '', label: t('notifications.anyState') },
              ...STATES.map((value) => ({ value, label: t(`deliveryStates.${value}`) })),
            ]}
          />
        </Group>
      </div>
      {target.overlap_until !== null && (
        <Text size="sm" mb="sm">
          {t('notifications.overlapUntil')} <Time at={target.overlap_until} />.
        </Text>
      )}
      <ActionError error={error} />
      <PagedTable
        caption={t('notifications.deliveries')}
        columns={columns}
        query={list}
        keyOf={({ notification_id: id }) => id}
        cursor={cursor}
        empty={<EmptyState title={t('notifications.noDelivery')}>{t('notifications.noDeliveryText')}</EmptyState>}
        onPage={(page) => void navigate({ search: { ...at, ...page } })}
      />
    </section>
  );
}
