import { Button, Group, NativeSelect, Text } from '@mantine/core';
import { useNavigate, useSearch } from '@tanstack/react-router';
import { useState } from 'react';
import { useTranslation } from 'react-i18next';
import { TEXT_SCOPES, TOKEN_STATUSES, type TokenSummary } from '@answer-evidence/contracts';
import { Actor } from '../../components/actor.tsx';
import { Chip } from '../../components/chip.tsx';
import { ConfirmDialog } from '../../components/confirm-dialog.tsx';
import type { Column } from '../../components/data-table.tsx';
import { EmptyState } from '../../components/empty-state.tsx';
import { PageHead } from '../../components/page-head.tsx';
import { PagedTable } from '../../components/paged-table.tsx';
import { PlainText } from '../../components/plain-text.tsx';
import { RelativeTime } from '../../components/relative-time.tsx';
import { Time } from '../../components/time.tsx';
import { useSession } from '../../session/session-context.tsx';
import { useReload, useWorkspacePage } from '../../session/workspace-query.ts';
import { EndingTokens } from './ending-tokens.tsx';
import { EndsSoon } from './ends-soon.tsx';
import { IssueTokenDialog } from './issue-token-dialog.tsx';
import { RotateTokenDialog } from './rotate-token-dialog.tsx';

type Open =
  | { readonly kind: 'issue' }
  | { readonly kind: 'rotate' | 'revoke'; readonly token: Pick<TokenSummary, 'id' | 'name'> };

/** The tokens that the reader may see: issue, rotate, revoke. */
export function TokensPage() {
  const { t } = useTranslation();
  const { client, session, may } = useSession();
  const { status: shown, cursor } = useSearch({ from: '/tokens' });
  const navigate = useNavigate({ from: '/tokens' });
  const reload = useReload();
  const [open, setOpen] = useState<Open | null>(null);
  const status = TOKEN_STATUSES.find((one) => one === shown) ?? 'live';
  const list = useWorkspacePage(['tokens', status], cursor, (client, at) => client.tokens.list({ status }, at));
  const close = () => setOpen(null);
  // Who rotates a token gets to know the new one.
  const mayRotate = ({ user_id: userId, scopes }: TokenSummary) =>
    userId === null
      ? may('tokens.texts') || !scopes.some((one) => TEXT_SCOPES.includes(one))
      : userId === session.member.id;
  const columns: readonly Column<TokenSummary>[] = [
    { id: 'name', title: t('tokens.name'), cell: ({ name }) => <PlainText text={name} /> },
    {
      id: 'for',
      title: t('tokens.for'),
      cell: ({ application_key: application, user_id: userId, scopes }) => (
        <>
          {application !== null ? (
            <PlainText text={application} />
          ) : userId === null ? (
            t('tokens.person')
          ) : (
            <Actor actor={{ kind: 'user', id: userId, token_id: null }} />
          )}
          {scopes.length > 0 && (
            <Text size="xs" c="dimmed" className="wrapped">
              {scopes.join('\n')}
            </Text>
          )}
        </>
      ),
    },
    {
      id: 'used',
      title: t('tokens.used'),
      cell: (token) =>
        token.last_used_at === null ? (
          <span className="muted">{t('tokens.unused')}</span>
        ) : (
          <RelativeTime at={token.last_used_at} />
        ),
      isMinor: true,
    },
    {
      id: 'ends',
      title: t('tokens.ends'),
      cell: (token) => (
        <>
          <Time at={token.revoked_at ?? token.expires_at} />
          <div>
            {token.revoked_at !== null ? (
              <Chip color="yellow">{t(status === 'live' ? 'tokens.rotated' : 'tokens.revoked')}</Chip>
            ) : (
              <EndsSoon token={token} />
            )}
          </div>
        </>
      ),
    },
    ...(status === 'live'
      ? [
          {
            id: 'actions',
            title: t('common.actions'),
            cell: (token: TokenSummary) => (
              <Group gap="xs">
                {token.revoked_at === null && mayRotate(token) && (
                  <Button
                    size="compact-sm"
                    variant="default"
                    aria-label={t('tokens.rotateTitle', { name: token.name })}
                    onClick={() => setOpen({ kind: 'rotate', token })}
                  >
                    {t('tokens.rotate')}
                  </Button>
                )}
                <Button
                  size="compact-sm"
                  variant="subtle"
                  color="red"
                  aria-label={t('tokens.revokeTitle', { name: token.name })}
                  onClick={() => setOpen({ kind: 'revoke', token })}
                >
                  {t('tokens.revoke')}
                </Button>
              </Group>
            ),
          },
        ]
      : []),
  ];
  return (
    <>
      <PageHead title={t('tokens.title')}>
        <Group align="end">
          <NativeSelect
            aria-label={t('tokens.show')}
            value={status}
            onChange={(event) => void navigate({ search: { status: event.currentTarget.value } })}
            data={TOKEN_STATUSES.map((value) => ({ value, label: t(`tokens.${value}`) }))}
          />
          <Button onClick={() => setOpen({ kind: 'issue' })}>{t('tokens.issue')}</Button>
        </Group>
      </PageHead>
      {status === 'live' && <EndingTokens onRotate={(token) => setOpen({ kind: 'rotate', token })} />}
      <PagedTable
        caption={t('tokens.title')}
        columns={columns}
        query={list}
        keyOf={({ id }) => id}
        cursor={cursor}
        empty={<EmptyState title={t('tokens.none')}>{t('tokens.noneText')}</EmptyState>}
        onPage={(at) => void navigate({ search: { status, ...at } })}
      />
      {open?.kind === 'issue' && <IssueTokenDialog onClose={close} />}
      {open?.kind === 'rotate' && <RotateTokenDialog token={open.token} onClose={close} />}
      {open?.kind === 'revoke' && (
        <ConfirmDialog
          title={t('tokens.revokeTitle', { name: open.token.name })}
          consequence={t('tokens.revokeText')}
          action={t('tokens.revoke')}
          isDangerous
          onConfirm={async () => {
            await client.tokens.revoke(open.token.id);
            await reload('tokens');
          }}
          onClose={close}
        />
      )}
    </>
  );
}
