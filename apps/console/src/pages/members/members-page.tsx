import { Button, Group } from '@mantine/core';
import { useNavigate, useSearch } from '@tanstack/react-router';
import { useState } from 'react';
import { useTranslation } from 'react-i18next';
import type { Member } from '@answer-evidence/contracts';
import { Chip } from '../../components/chip.tsx';
import { ConfirmDialog } from '../../components/confirm-dialog.tsx';
import type { Column } from '../../components/data-table.tsx';
import { PageHead } from '../../components/page-head.tsx';
import { PagedTable } from '../../components/paged-table.tsx';
import { PlainText } from '../../components/plain-text.tsx';
import { RelativeTime } from '../../components/relative-time.tsx';
import { Time } from '../../components/time.tsx';
import { useSecondPerson } from '../../components/use-second-person.tsx';
import { useSession } from '../../session/session-context.tsx';
import { useReload, useWorkspacePage, useWorkspaceQuery } from '../../session/workspace-query.ts';
import { accessOf } from './access-choice.tsx';
import { AccessText } from './access-text.tsx';
import { AddMemberDialog } from './add-member-dialog.tsx';
import { ChangeMemberDialog } from './change-member-dialog.tsx';
import { RolesExplained } from './roles-explained.tsx';

type Open = { readonly kind: 'add' } | { readonly kind: 'change' | 'remove'; readonly member: Member };

/** They have not set a password yet, or can no longer do so. */
const LINKS: ReadonlySet<Member['sign_in']> = new Set(['link', 'link_expired']);

/** The people of the workspace, what they may do, and when they were last there. */
export function MembersPage() {
  const { t } = useTranslation();
  const { client, may } = useSession();
  const mayChange = may('members.change');
  const { cursor } = useSearch({ from: '/members' });
  const navigate = useNavigate({ from: '/members' });
  const reload = useReload();
  const [open, setOpen] = useState<Open | null>(null);
  const { orAsk, asking } = useSecondPerson();
  const readPage = () => client.members.list(cursor === undefined ? {} : { cursor });
  const list = useWorkspacePage(['members'], cursor, readPage);
  const close = () => setOpen(null);
  const overview = useWorkspaceQuery(['overview', 'links'], (client) => client.overview.get({ days: 1 }));
  /** Until when those who have not come yet can, where that is soon. */
  const linkEnds = new Map(
    (overview.data?.attention ?? []).flatMap(({ kind, object_id: id, until }) =>
      kind === 'sign_in_link_ends' && id !== null && until !== null ? [[id, until] as const] : [],
    ),
  );
  const columns: readonly Column<Member>[] = [
    { id: 'name', title: t('members.name'), cell: ({ username }) => <PlainText text={username} /> },
    {
      id: 'role',
      title: t('members.role'),
      cell: (member) => (
        <>
          <AccessText access={accessOf(member)} />
          {member.role_source && (
            <div className="muted">{t(`roleSources.${member.role_source}`, { defaultValue: member.role_source })}</div>
          )}
        </>
      ),
    },
    {
      id: 'state',
      title: t('members.signIn'),
      cell: (member) =>
        member.removed_at !== null || member.disabled ? (
          <Chip color={member.removed_at === null ? 'yellow' : 'gray'}>
            {t(member.removed_at === null ? 'members.isDisabled' : 'members.isRemoved')}
          </Chip>
        ) : (
          <>
            {LINKS.has(member.sign_in) ? (
              <Chip color={member.sign_in === 'link' ? 'yellow' : 'red'}>{t(`signIn.${member.sign_in}`)}</Chip>
            ) : (
              t(`signIn.${member.sign_in}`)
            )}
            {member.sign_in === 'link' && linkEnds.has(member.id) && (
              <div>
                {t('tokens.endsAt')} <Time at={linkEnds.get(member.id) ?? ''} />
              </div>
            )}
            {member.provider && (
              <>
                {', '}
                {t('members.linkedTo')} <PlainText text={member.provider.subject} />
              </>
            )}
          </>
        ),
    },
    {
      id: 'used',
      title: t('members.used'),
      cell: ({ last_used_at: at }) =>
        at === null || at === undefined ? (
          <span className="muted">{t('members.unused')}</span>
        ) : (
          <RelativeTime at={at} />
        ),
    },
    {
      id: 'added',
      title: t('members.added'),
      cell: ({ created_at: at }) => <Time at={at} />,
      isMinor: true,
    },
    {
      id: 'actions',
      title: t('common.actions'),
      cell: (member) =>
        mayChange &&
        member.removed_at === null && (
          <Group gap="xs">
            <Button
              size="compact-sm"
              variant="default"
              aria-label={t('members.changeOf', { name: member.username })}
              onClick={() => setOpen({ kind: 'change', member })}
            >
              {t('members.change')}
            </Button>
            <Button
              size="compact-sm"
              variant="subtle"
              color="red"
              aria-label={t('members.removeOf', { name: member.username })}
              onClick={() => setOpen({ kind: 'remove', member })}
            >
              {t('members.remove')}
            </Button>
          </Group>
        ),
    },
  ];
  return (
    <>
      <PageHead title={t('members.title')}>
        {mayChange && <Button onClick={() => setOpen({ kind: 'add' })}>{t('members.add')}</Button>}
      </PageHead>
      <PagedTable
        caption={t('members.title')}
        columns={columns}
        query={list}
        keyOf={({ id }) => id}
        cursor={cursor}
        empty={null}
        onPage={(at) => void navigate({ search: at })}
      />
      {may('members.read') && <RolesExplained />}
      {open?.kind === 'add' && <AddMemberDialog onClose={close} />}
      {open?.kind === 'change' && (
        <ChangeMemberDialog
          member={open.member}
          readNow={async () => (await readPage()).items.find(({ id }) => id === open.member.id)}
          onClose={close}
        />
      )}
      {open?.kind === 'remove' && (
        <ConfirmDialog
          title={t('members.removeOf', { name: open.member.username })}
          consequence={t('members.removeText')}
          action={t('members.remove')}
          isDangerous
          onConfirm={async () => {
            await orAsk(
              () => ({ member: { member_id: open.member.id, change: 'remove' } }),
              () => client.members.remove(open.member.id),
            );
            await reload('members');
          }}
          onClose={close}
        />
      )}
      {asking}
    </>
  );
}
