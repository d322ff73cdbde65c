import { Button, Group, Text, Title } from '@mantine/core';
import { Link } from '@tanstack/react-router';
import { useState } from 'react';
import { useTranslation } from 'react-i18next';
import type { EvidenceAccess, EvidenceAsset } from '@answer-evidence/contracts';
import { Actor } from '../../components/actor.tsx';
import type { Column } from '../../components/data-table.tsx';
import { PagedTable } from '../../components/paged-table.tsx';
import { PlainText } from '../../components/plain-text.tsx';
import { Time } from '../../components/time.tsx';
import { useSession } from '../../session/session-context.tsx';
import { useWorkspacePage } from '../../session/workspace-query.ts';
import { RedactEvidenceDialog, type Redaction } from './redact-evidence-dialog.tsx';
import { RedactionResult } from './redaction-result.tsx';

const PAGE_SIZE = 20;

type Props = {
  readonly asset: EvidenceAsset;
  /** Reads these passages alone. */
  readonly onRead: (ids: readonly string[]) => void;
};

/** Who accessed an asset, when and why, and which records use it. */
export function Accesses({ asset, onRead }: Props) {
  const { t } = useTranslation();
  const { may } = useSession();
  const [cursor, setCursor] = useState<string>();
  const [open, setOpen] = useState<Redaction | null>(null);
  const [done, setDone] = useState<React.ComponentProps<typeof RedactionResult> | null>(null);
  const list = useWorkspacePage(['accesses', asset.id], cursor, (client, at) =>
    client.evidence.accesses(asset.id, { size: PAGE_SIZE, ...at }),
  );
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
      cell: ({ actor }) => <Actor actor={actor} />,
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
          {ids === null ? t('accesses.whole') : t('evidence.passages', { count: ids.length })}{' '}
          {ids !== null && asset.state !== 'expired' && may('evidence.texts') && (
            <Button size="compact-sm" variant="default" onClick={() => onRead(ids)}>
              {t('accesses.read')}
            </Button>
          )}
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
                {asset.state !== 'expired' && may('events.manage') && (
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
