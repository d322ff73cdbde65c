import { Button, Group, Text, Title } from '@mantine/core';
import { keepPreviousData, useQuery } from '@tanstack/react-query';
import { Link } from '@tanstack/react-router';
import { useState } from 'react';
import { useTranslation } from 'react-i18next';
import type { EvidenceAccess, EvidenceAsset } from '@answer-evidence/contracts';
import type { Column } from '../../components/data-table.tsx';
import { PagedTable } from '../../components/paged-table.tsx';
import { PlainText } from '../../components/plain-text.tsx';
import { Time } from '../../components/time.tsx';
import { useSession } from '../../session/session-context.tsx';
import { RedactEvidenceDialog, type Redaction } from './redact-evidence-dialog.tsx';
import { RedactionResult } from './redaction-result.tsx';

const PAGE_SIZE = 20;
const MEMBERS_MAX = 200;

/** Who accessed an asset, when and why, and which records use it; for managers. */
export function Accesses({ asset }: { readonly asset: EvidenceAsset }) {
  const { t } = useTranslation();
  const { client, session } = useSession();
  const [cursor, setCursor] = useState<string>();
  const [open, setOpen] = useState<Redaction | null>(null);
  const [done, setDone] = useState<React.ComponentProps<typeof RedactionResult> | null>(null);
  const list = useQuery({
    queryKey: ['accesses', session.workspace.id, asset.id, cursor ?? null],
    queryFn: () => client.evidence.accesses(asset.id, { size: PAGE_SIZE, ...(cursor === undefined ? {} : { cursor }) }),
    placeholderData: keepPreviousData,
  });
  // Entries name people by their id. A name is for the reader alone, and the list does not wait for it.
  const members = useQuery({
    queryKey: ['members', session.workspace.id, 'names'],
    queryFn: () => client.members.list({ size: MEMBERS_MAX }),
  });
  const nameOf = (actor: EvidenceAccess['actor']) =>
    actor.kind === 'user' ? members.data?.items.find(({ id }) => id === actor.id)?.username : undefined;
  const columns: readonly Column<EvidenceAccess>[] = [
    {
      id: 'at',
      title: t('accesses.at'),
      cell: (access) => (
        <>
          <Time at={access.created_at} />
          <Text size="xs" c="dimmed">
            {t('timeline.leaf', { leaf: access.ledger.leaf_index })}
          </Text>
        </>
      ),
    },
    {
      id: 'who',
      title: t('accesses.who'),
      cell: ({ actor }) => {
        const name = nameOf(actor);
        return (
          <>
            {name !== undefined && <PlainText text={name} />}
            <Text size={name === undefined ? 'sm' : 'xs'} c={name === undefined ? undefined : 'dimmed'}>
              <PlainText text={`${t(`actors.${actor.kind}`)} ${actor.id}`} />
            </Text>
          </>
        );
      },
    },
    {
      id: 'why',
      title: t('accesses.why'),
      cell: ({ purpose }) => (purpose === null ? '–' : <PlainText text={purpose} />),
    },
    {
      id: 'what',
      title: t('accesses.what'),
      cell: ({ access, segment_ids: ids }) => (
        <>
          {t(`accessKinds.${access}`)} ·{' '}
          {ids === null ? t('accesses.whole') : t('evidence.passages', { count: ids.length })}
        </>
      ),
      isMinor: true,
    },
    {
      id: 'records',
      title: t('accesses.usedBy'),
      cell: (access) =>
        access.bound_into.length === 0
          ? '–'
          : access.bound_into.map((recordId) => (
              <Group key={recordId} gap="xs">
                <Link to="/records/$recordId" params={{ recordId }} className="mono">
                  {recordId}
                </Link>
                {asset.state !== 'expired' && (
                  <Button
                    size="compact-sm"
                    variant="default"
                    aria-label={t('redactEvidence.titleOf', { record: recordId })}
                    onClick={() => setOpen({ recordId, access, key: crypto.randomUUID() })}
                  >
                    {t('redactEvidence.button')}
                  </Button>
                )}
              </Group>
            )),
    },
  ];
  return (
    <section aria-labelledby="accesses" className="section">
      <Title order={2} size="h4" id="accesses" mb="sm">
        {t('accesses.title')}
      </Title>
      {done !== null && <RedactionResult {...done} />}
      <PagedTable
        caption={t('accesses.title')}
        columns={columns}
        query={list}
        keyOf={({ id }) => id}
        cursor={cursor}
        empty={<Text c="dimmed">{t('accesses.none')}</Text>}
        above={() => (
          <Text size="sm" c="dimmed" mb="sm">
            {t('accesses.toRedact')}
          </Text>
        )}
        onPage={(at) => setCursor(at['cursor'])}
      />
      {open !== null && (
        <RedactEvidenceDialog asset={asset} redaction={open} onRedacted={setDone} onClose={() => setOpen(null)} />
      )}
    </section>
  );
}
