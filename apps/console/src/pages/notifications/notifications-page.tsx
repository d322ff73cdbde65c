import { Button, Group, Text } from '@mantine/core';
import { Link, useNavigate, useSearch } from '@tanstack/react-router';
import { useState } from 'react';
import { useTranslation } from 'react-i18next';
import { NOTIFICATION_TARGETS_MAX, type NotificationTarget } from '@answer-evidence/contracts';
import { ActionError } from '../../components/action-error.tsx';
import { ActionMenu } from '../../components/action-menu.tsx';
import { ConfirmDialog } from '../../components/confirm-dialog.tsx';
import { type Column, DataTable } from '../../components/data-table.tsx';
import { EmptyState } from '../../components/empty-state.tsx';
import { Loaded } from '../../components/loaded.tsx';
import { PageHead } from '../../components/page-head.tsx';
import { PlainText } from '../../components/plain-text.tsx';
import { nameControls } from '../../components/split-controls.ts';
import { Time } from '../../components/time.tsx';
import { useAction } from '../../components/use-action.ts';
import { useSession } from '../../session/session-context.tsx';
import { useReload, useWorkspaceQuery } from '../../session/workspace-query.ts';
import { ConfirmCodeDialog } from './confirm-code-dialog.tsx';
import { Deliveries } from './deliveries.tsx';
import { MailDialog } from './mail-dialog.tsx';
import { RotateSecretDialog } from './rotate-secret-dialog.tsx';
import { TargetDialog } from './target-dialog.tsx';
import { TargetState } from './target-state.tsx';

type Open =
  | { readonly kind: 'add' | 'mail' }
  | { readonly kind: 'confirm' | 'change' | 'rotate' | 'remove'; readonly target: NotificationTarget };

const REFRESH_MS = 10_000;

/** Who outside is told what happens here, and what became of each notification. */
export function NotificationsPage() {
  const { t } = useTranslation();
  const { client } = useSession();
  const { target: shownId } = useSearch({ from: '/notifications' });
  const navigate = useNavigate({ from: '/notifications' });
  const reload = useReload();
  const [open, setOpen] = useState<Open | null>(null);
  const { isBusy, error, run } = useAction();
  const list = useWorkspaceQuery(['notifications', 'targets'], (client) => client.notifications.list(), {
    refetchInterval: REFRESH_MS,
  });
  const act = (task: () => Promise<unknown>) =>
    run(async () => {
      await task();
      await reload('notifications');
    });
  const show = (id: string) => void navigate({ search: { target: id } });
  const test = (id: string) =>
    void act(async () => {
      await client.notifications.test(id);
      show(id);
    });
  const switchTo = (id: string, state: NotificationTarget['state']) =>
    act(() => client.notifications.change(id, { state }));
  const close = () => setOpen(null);
  const choice = (key: 'confirm' | 'change' | 'rotate' | 'disable' | 'enable' | 'remove', onChoose: () => void) =>
    ({ kind: 'item', key, title: t(`notifications.${key}`), onChoose }) as const;

  // What members have mailed to themselves does not count.
  const shared = (list.data ?? []).filter(({ mail }) => (mail?.member_id ?? null) === null);
  const isFull = shared.length >= NOTIFICATION_TARGETS_MAX;

  const columns: readonly Column<NotificationTarget>[] = [
    {
      id: 'name',
      title: t('notifications.name'),
      cell: ({ id, name, origin, mail }) => (
        <>
          <Link to="/notifications" search={{ target: id }} aria-current={id === shownId ? 'true' : undefined}>
            <PlainText text={name} />
          </Link>
          <Text size="xs" c="dimmed">
            <PlainText text={origin} />
            {(mail?.member_id ?? null) !== null && ` · ${t('mailTerms.ofMember')}`}
          </Text>
        </>
      ),
    },
    { id: 'state', title: t('notifications.state'), cell: (target) => <TargetState target={target} /> },
    {
      id: 'types',
      title: t('notifications.types'),
      cell: ({ event_types: types }) =>
        types === null ? t('notifications.everyType') : t('notifications.someTypes', { count: types.length }),
      isMinor: true,
    },
    {
      id: 'pending',
      title: t('notifications.pending'),
      cell: ({ pending, paused_until: until }) => (
        <>
          {pending}
          {until !== null && (
            <Text size="xs" c="dimmed">
              {t('notifications.pausedUntil')} <Time at={until} />
            </Text>
          )}
        </>
      ),
      isMinor: true,
    },
    {
      id: 'actions',
      title: t('common.actions'),
      cell: (target) => (
        <Group gap="xs">
          <Button
            size="compact-sm"
            variant="default"
            disabled={isBusy || target.state === 'disabled'}
            aria-label={t('notifications.testOf', { name: target.name })}
            onClick={() => test(target.id)}
          >
            {t('notifications.test')}
          </Button>
          <ActionMenu
            title={
              <>
                {t('notifications.more')} <span className="visually-hidden">{nameControls(target.name)}</span>
              </>
            }
            button={{ size: 'compact-sm', variant: 'default' }}
            parts={[
              ...(target.mail?.stopped === 'unconfirmed'
                ? [choice('confirm', () => setOpen({ kind: 'confirm', target }))]
                : []),
              choice('change', () => setOpen({ kind: 'change', target })),
              ...(target.mail === null ? [choice('rotate', () => setOpen({ kind: 'rotate', target }))] : []),
              target.state === 'active'
                ? choice('disable', () => void switchTo(target.id, 'disabled'))
                : choice('enable', () => void switchTo(target.id, 'active')),
              { kind: 'line' },
              choice('remove', () => setOpen({ kind: 'remove', target })),
            ]}
          />
        </Group>
      ),
    },
  ];

  return (
    <>
      <PageHead title={t('notifications.title')}>
        <Button variant="default" disabled={isFull} onClick={() => setOpen({ kind: 'mail' })}>
          {t('mailTerms.add')}
        </Button>
        <Button disabled={isFull} onClick={() => setOpen({ kind: 'add' })}>
          {t('notifications.add')}
        </Button>
      </PageHead>
      <Text mb="md">{t('notifications.text')}</Text>
      <ActionError error={error} />
      <Loaded query={list}>
        {(targets) => {
          const shown = targets.find(({ id }) => id === shownId);
          return targets.length === 0 ? (
            <EmptyState title={t('notifications.none')}>{t('notifications.noneText')}</EmptyState>
          ) : (
            <>
              <DataTable
                caption={t('notifications.targets')}
                columns={columns}
                rows={targets}
                keyOf={({ id }) => id}
                onOpen={({ id }) => show(id)}
              />
              {shown === undefined ? (
                <Text size="sm" c="dimmed" mt="sm">
                  {t('notifications.choose')}
                </Text>
              ) : (
                <Deliveries key={shown.id} target={shown} />
              )}
            </>
          );
        }}
      </Loaded>
      {open?.kind === 'add' && <TargetDialog onClose={close} onDone={show} />}
      {open?.kind === 'change' && <TargetDialog target={open.target} onClose={close} onDone={show} />}
      {open?.kind === 'mail' && <MailDialog onClose={close} onDone={show} />}
      {open?.kind === 'confirm' && <ConfirmCodeDialog target={open.target} onClose={close} />}
      {open?.kind === 'rotate' && <RotateSecretDialog target={open.target} onClose={close} />}
      {open?.kind === 'remove' && (
        <ConfirmDialog
          title={t('notifications.removeOf', { name: open.target.name })}
          consequence={t('notifications.removeText', { count: open.target.pending })}
          action={t('notifications.remove')}
          isDangerous
          onConfirm={async () => {
            await client.notifications.remove(open.target.id);
            await reload('notifications');
          }}
          onClose={close}
        />
      )}
    </>
  );
}
