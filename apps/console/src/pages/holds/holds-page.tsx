import { Button, Text } from '@mantine/core';
import { useNavigate, useSearch } from '@tanstack/react-router';
import { useState } from 'react';
import { useTranslation } from 'react-i18next';
import { type Hold, HOLD_REASON_LENGTH_MAX } from '@answer-evidence/contracts';
import { Actor } from '../../components/actor.tsx';
import type { Column } from '../../components/data-table.tsx';
import { EmptyState } from '../../components/empty-state.tsx';
import { PageHead } from '../../components/page-head.tsx';
import { PagedTable } from '../../components/paged-table.tsx';
import { PlainText } from '../../components/plain-text.tsx';
import { ReasonDialog } from '../../components/reason-dialog.tsx';
import { nameControls } from '../../components/split-controls.ts';
import { Time } from '../../components/time.tsx';
import { useSecondPerson } from '../../components/use-second-person.tsx';
import { useSession } from '../../session/session-context.tsx';
import { useReload, useWorkspacePage } from '../../session/workspace-query.ts';
import { HeldRecords } from './held-records.tsx';
import { HoldPage } from './hold-page.tsx';
import { HoldState } from './hold-state.tsx';
import { PlaceHoldDialog } from './place-hold-dialog.tsx';

const PAGE_SIZE = 50;

/** The holds, or one of them where the address names it. */
export function HoldsPage() {
  const { hold } = useSearch({ from: '/holds' });
  return hold === undefined ? <HoldList /> : <HoldPage holdId={hold} />;
}

/** What is kept from erasure, for which matters, and what was released. */
function HoldList() {
  const { t } = useTranslation();
  const { client, may } = useSession();
  const { cursor } = useSearch({ from: '/holds' });
  const navigate = useNavigate({ from: '/holds' });
  const reload = useReload();
  const { orAsk, asking } = useSecondPerson();
  const [open, setOpen] = useState<'place' | Hold | null>(null);
  const list = useWorkspacePage(['holds'], cursor, (client, at) => client.holds.list({ size: PAGE_SIZE, ...at }));
  const close = () => setOpen(null);
  const columns: readonly Column<Hold>[] = [
    {
      id: 'matter',
      title: t('holdsPage.matter'),
      cell: ({ matter, reason }) => (
        <>
          <PlainText text={matter} />
          <Text size="xs" c="dimmed">
            <PlainText text={reason} />
          </Text>
        </>
      ),
    },
    { id: 'records', title: t('holdsPage.records'), cell: (hold) => <HeldRecords hold={hold} /> },
    {
      id: 'placed',
      title: t('holdsPage.placed'),
      cell: ({ placed_at: at, placed_by: by }) => (
        <>
          <Time at={at} />
          <Text size="xs" c="dimmed">
            <Actor actor={by} />
          </Text>
        </>
      ),
    },
    { id: 'state', title: t('holdsPage.state'), cell: (hold) => <HoldState hold={hold} /> },
    {
      id: 'actions',
      title: t('common.actions'),
      cell: (hold) =>
        hold.release === null &&
        may('holds.manage') && (
          <Button
            size="compact-sm"
            variant="default"
            aria-label={t('holdsPage.releaseOf', { matter: nameControls(hold.matter) })}
            onClick={() => setOpen(hold)}
          >
            {t('holdsPage.release')}
          </Button>
        ),
    },
  ];
  return (
    <>
      <PageHead title={t('holdsPage.title')}>
        {may('holds.manage') && <Button onClick={() => setOpen('place')}>{t('holdsPage.place')}</Button>}
      </PageHead>
      <Text mb="md">{t('holdsPage.text')}</Text>
      <PagedTable
        caption={t('holdsPage.title')}
        columns={columns}
        query={list}
        keyOf={({ id }) => id}
        cursor={cursor}
        empty={<EmptyState title={t('holdsPage.none')}>{t('holdsPage.noneText')}</EmptyState>}
        onPage={(at) => void navigate({ search: at })}
      />
      {open === 'place' && <PlaceHoldDialog onClose={close} />}
      {open !== null && open !== 'place' && (
        <ReasonDialog
          title={t('holdsPage.releaseOf', { matter: nameControls(open.matter) })}
          consequence={t('holdsPage.releaseText')}
          action={t('holdsPage.release')}
          isDangerous
          reasonMax={HOLD_REASON_LENGTH_MAX}
          onConfirm={async (reason) => {
            await orAsk(
              () => ({ hold_release: { hold_id: open.id, reason } }),
              () => client.holds.release(open.id, { reason }),
            );
            await reload('holds');
          }}
          onClose={close}
        />
      )}
      {asking}
    </>
  );
}
