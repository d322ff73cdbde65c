import { Button, Text } from '@mantine/core';
import { useQueryClient } from '@tanstack/react-query';
import { useNavigate, useSearch } from '@tanstack/react-router';
import { useState } from 'react';
import { useTranslation } from 'react-i18next';
import type { Approval } from '@answer-evidence/contracts';
import { Actor } from '../../components/actor.tsx';
import { ConfirmDialog } from '../../components/confirm-dialog.tsx';
import type { Column } from '../../components/data-table.tsx';
import { EmptyState } from '../../components/empty-state.tsx';
import { PageHead } from '../../components/page-head.tsx';
import { PagedTable } from '../../components/paged-table.tsx';
import { PlainText } from '../../components/plain-text.tsx';
import { RecordLink } from '../../components/record-link.tsx';
import { Time } from '../../components/time.tsx';
import { useSession } from '../../session/session-context.tsx';
import { useWorkspacePage } from '../../session/workspace-query.ts';
import { ApprovalActions, type Decision } from './approval-actions.tsx';
import { type AskedExport, readAskedExport } from './asked-export.tsx';
import { exportFate } from './export-fate.ts';
import { RequestState } from './request-state.tsx';
import { RequestedAct } from './requested-act.tsx';
import { TakeExportDialog } from './take-export-dialog.tsx';

const PAGE_SIZE = 50;
const REFRESH_MS = 10_000;
/** The newest approved requests, among which the exports are that wait for who asked. */
const APPROVED_SIZE = 200;

/** What needs a second person: first what waits for the reader, and what became of the rest. */
export function ApprovalsPage() {
  const { t } = useTranslation();
  const { client, session, may } = useSession();
  const { cursor, all } = useSearch({ from: '/approvals' });
  const navigate = useNavigate({ from: '/approvals' });
  const queries = useQueryClient();
  const [taking, setTaking] = useState<{ readonly approvalId: string; readonly asked: AskedExport }>();
  const [deciding, setDeciding] = useState<{ readonly decision: Decision; readonly one: Approval }>();
  const isOwn = ({ requested_by: by }: Approval) => by.id === session.member.id;
  const fateOf = (one: Approval) => exportFate(one, session.member.id, Date.now());
  const list = useWorkspacePage(
    ['approvals', all ?? null],
    cursor,
    async (client, from) => {
      const at = { size: PAGE_SIZE, ...from };
      if (all !== undefined) return client.approvals.list(at);
      const [page, approved] = await Promise.all([
        client.approvals.list({ ...at, state: 'open' }),
        client.approvals.list({ size: APPROVED_SIZE, state: 'approved' }),
      ]);
      const usable = cursor === undefined ? approved.items.filter((one) => fateOf(one) === 'yours') : [];
      const open = page.items.toSorted((a, b) => Number(isOwn(a)) - Number(isOwn(b)));
      return { ...page, items: [...usable, ...open] };
    },
    { refetchInterval: REFRESH_MS },
  );
  const show = (next: Readonly<Record<string, string>>) => void navigate({ search: next });
  const columns: readonly Column<Approval>[] = [
    {
      id: 'act',
      title: t('approvals.act'),
      cell: ({ act, subject }) => (
        <>
          {t(`approvals.acts.${act}`, { defaultValue: act })}
          {subject.answer_log_id !== null && (
            <Text size="xs">
              <RecordLink id={subject.answer_log_id} />
            </Text>
          )}
          {subject.hold_id !== null && (
            <Text size="xs" className="mono">
              {subject.hold_id}
            </Text>
          )}
          {subject.member_id !== null && (
            <Text size="xs">
              <Actor actor={{ kind: 'user', id: subject.member_id, token_id: null }} />
            </Text>
          )}
        </>
      ),
    },
    { id: 'reason', title: t('reason.label'), cell: ({ reason }) => <PlainText text={reason} /> },
    {
      id: 'by',
      title: t('approvals.by'),
      cell: ({ requested_by: by, requested_at: at }) => (
        <>
          <Actor actor={by} />
          <Text size="xs" c="dimmed">
            <Time at={at} />
          </Text>
        </>
      ),
    },
    {
      id: 'state',
      title: t('approvals.state'),
      cell: (one) => <RequestState one={one} fate={fateOf(one)} />,
    },
    {
      id: 'actions',
      title: t('common.actions'),
      cell: (one) => {
        const asked = fateOf(one) === 'yours' ? readAskedExport(one.request) : undefined;
        if (asked !== undefined)
          return (
            <Button size="compact-sm" onClick={() => setTaking({ approvalId: one.id, asked })}>
              {t(asked.pack === undefined ? 'askedExports.take' : 'pack.action')}
            </Button>
          );
        return one.state === 'open' && may('approvals') ? (
          <ApprovalActions one={one} isOwn={isOwn(one)} onChoose={(decision) => setDeciding({ decision, one })} />
        ) : null;
      },
    },
  ];
  return (
    <>
      <PageHead title={t('approvals.title')}>
        <Button variant="default" onClick={() => show(all === undefined ? { all: 'yes' } : {})}>
          {t(all === undefined ? 'approvals.showAll' : 'approvals.showOpen')}
        </Button>
      </PageHead>
      <Text mb="md">{t('approvals.text')}</Text>
      <PagedTable
        caption={t('approvals.title')}
        columns={columns}
        query={list}
        keyOf={({ id }) => id}
        cursor={cursor}
        empty={<EmptyState title={t('approvals.none')}>{t('approvals.noneText')}</EmptyState>}
        onPage={(at) => show({ ...(all === undefined ? {} : { all }), ...at })}
      />
      {deciding !== undefined && (
        <ConfirmDialog
          title={t(`approvals.${deciding.decision}Of`, {
            act: t(`approvals.acts.${deciding.one.act}`, { defaultValue: deciding.one.act }),
          })}
          consequence={
            <>
              {t(
                deciding.decision === 'approve' && deciding.one.act === 'export'
                  ? 'askedExports.approveText'
                  : `approvals.${deciding.decision}Text`,
              )}
              <RequestedAct one={deciding.one} />
            </>
          }
          action={t(`approvals.${deciding.decision}`)}
          isDangerous={deciding.decision === 'approve'}
          onConfirm={async () => {
            await client.approvals[deciding.decision](deciding.one.id);
            await queries.invalidateQueries();
          }}
          onClose={() => setDeciding(undefined)}
        />
      )}
      {taking !== undefined && <TakeExportDialog {...taking} onClose={() => setTaking(undefined)} />}
    </>
  );
}
