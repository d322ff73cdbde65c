import { Alert, Button, Group, Text } from '@mantine/core';
import { useState } from 'react';
import { useTranslation } from 'react-i18next';
import { type Stream, STREAMS_MAX, type StreamTest } from '@answer-evidence/contracts';
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
import { StreamDialog } from './stream-dialog.tsx';
import { StreamState } from './stream-state.tsx';

type Open = { readonly kind: 'add' } | { readonly kind: 'change' | 'remove'; readonly stream: Stream };
/** The newest test, and of which stream it was. */
type Tested = StreamTest & { readonly name: string };

const REFRESH_MS = 5_000;

/** Where the entries of the log are sent, how far each stream is, and why it is not further. */
export function StreamsPage() {
  const { t } = useTranslation();
  const { client } = useSession();
  const reload = useReload();
  const [open, setOpen] = useState<Open | null>(null);
  const [tested, setTested] = useState<Tested | null>(null);
  const { isBusy, error, run } = useAction();
  const list = useWorkspaceQuery(['streams'], (client) => client.streams.list(), { refetchInterval: REFRESH_MS });
  const act = (task: () => Promise<unknown>) =>
    void run(async () => {
      await task();
      await reload('streams');
    });
  const test = ({ id, name }: Stream) => {
    setTested(null);
    act(async () => setTested({ ...(await client.streams.test(id)), name }));
  };
  const close = () => setOpen(null);
  const choice = (key: 'change' | 'disable' | 'enable' | 'remove', onChoose: () => void) =>
    ({ kind: 'item', key, title: t(`streams.${key}`), onChoose }) as const;

  const columns: readonly Column<Stream>[] = [
    {
      id: 'name',
      title: t('streams.name'),
      cell: ({ name, destination: { type, place }, format }) => (
        <>
          <PlainText text={name} />
          <Text size="xs" c="dimmed">
            {t(`streams.types.${type}`)} · {t(`streams.formats.${format}`)}
          </Text>
          <Text size="xs" c="dimmed">
            <PlainText text={place} />
          </Text>
        </>
      ),
    },
    { id: 'state', title: t('streams.state'), cell: (stream) => <StreamState stream={stream} /> },
    {
      id: 'waiting',
      title: t('streams.waiting'),
      cell: ({ waiting, waiting_since: since }) => (
        <>
          {waiting === 0 ? t('streams.nothingWaits') : t('streams.waitingCount', { count: waiting })}
          {since !== null && (
            <Text size="xs" c="dimmed">
              {t('streams.since')} <Time at={since} />
            </Text>
          )}
        </>
      ),
    },
    {
      id: 'sent',
      title: t('streams.sent'),
      cell: ({ tree_size: size, confirmed_at: at }) =>
        at === null ? (
          t('streams.never')
        ) : (
          <>
            {t('streams.sentCount', { count: size })}
            <Text size="xs" c="dimmed">
              <Time at={at} />
            </Text>
          </>
        ),
      isMinor: true,
    },
    {
      id: 'actions',
      title: t('common.actions'),
      cell: (stream) => (
        <Group gap="xs">
          <Button
            size="compact-sm"
            variant="default"
            disabled={isBusy}
            aria-label={t('streams.testOf', { name: nameControls(stream.name) })}
            onClick={() => test(stream)}
          >
            {t('streams.test')}
          </Button>
          <ActionMenu
            title={
              <>
                {t('streams.more')} <span className="visually-hidden">{nameControls(stream.name)}</span>
              </>
            }
            button={{ size: 'compact-sm', variant: 'default' }}
            parts={[
              choice('change', () => setOpen({ kind: 'change', stream })),
              stream.state === 'active'
                ? choice('disable', () => act(() => client.streams.change(stream.id, { state: 'disabled' })))
                : choice('enable', () => act(() => client.streams.change(stream.id, { state: 'active' }))),
              { kind: 'line' },
              choice('remove', () => setOpen({ kind: 'remove', stream })),
            ]}
          />
        </Group>
      ),
    },
  ];

  return (
    <>
      <PageHead title={t('streams.title')}>
        <Button disabled={(list.data?.length ?? 0) >= STREAMS_MAX} onClick={() => setOpen({ kind: 'add' })}>
          {t('streams.add')}
        </Button>
      </PageHead>
      <Text mb="md">{t('streams.text')}</Text>
      <ActionError error={error} />
      {tested !== null && (
        <Alert color={tested.confirmed ? 'green' : 'red'} role="status" mb="md" className="wrapped">
          {t(tested.confirmed ? 'streams.confirmed' : 'streams.notConfirmed', { name: nameControls(tested.name) })}{' '}
          {tested.error !== null && <PlainText text={tested.error} />}
        </Alert>
      )}
      <Loaded query={list}>
        {(streams) =>
          streams.length === 0 ? (
            <EmptyState title={t('streams.none')}>{t('streams.noneText')}</EmptyState>
          ) : (
            <DataTable caption={t('streams.streams')} columns={columns} rows={streams} keyOf={({ id }) => id} />
          )
        }
      </Loaded>
      {open?.kind === 'add' && <StreamDialog onClose={close} />}
      {open?.kind === 'change' && <StreamDialog stream={open.stream} onClose={close} />}
      {open?.kind === 'remove' && (
        <ConfirmDialog
          title={t('streams.removeOf', { name: open.stream.name })}
          consequence={t('streams.removeText', { count: open.stream.waiting })}
          action={t('streams.remove')}
          isDangerous
          onConfirm={async () => {
            await client.streams.remove(open.stream.id);
            await reload('streams');
          }}
          onClose={close}
        />
      )}
    </>
  );
}
