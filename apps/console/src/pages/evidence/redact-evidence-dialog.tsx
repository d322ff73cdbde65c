import { Text } from '@mantine/core';
import { useTranslation } from 'react-i18next';
import type { AnswerRecord, EvidenceAccess, EvidenceAsset } from '@answer-evidence/contracts';
import { ActionError } from '../../components/action-error.tsx';
import { isConflict } from '../../components/conflict.ts';
import { ReasonDialog } from '../../components/reason-dialog.tsx';
import { StatusChip } from '../../components/status-chip.tsx';
import { useSecondPerson } from '../../components/use-second-person.tsx';
import { Waiting } from '../../components/waiting.tsx';
import { useSession } from '../../session/session-context.tsx';
import { useReload, useWorkspaceQuery } from '../../session/workspace-query.ts';
import { ChangedMeanwhileError } from '../records/changed-meanwhile-error.ts';
import { RecordHolds, useHoldsOf } from '../records/record-holds.tsx';
import { AlsoHeld, type RedactionResult } from './redaction-result.tsx';

/** The most assets with the same bytes that a redaction names. */
const ALSO_HELD_MAX = 100;

/** A record that is to be redacted, and the access by which it uses the asset; under one key, so that it is one event. */
export type Redaction = { readonly recordId: string; readonly access: EvidenceAccess; readonly key: string };

type Props = {
  readonly asset: EvidenceAsset;
  readonly redaction: Redaction;
  readonly onRedacted: (result: React.ComponentProps<typeof RedactionResult>) => void;
  readonly onClose: () => void;
};

/** Redacts a record together with what it used of an asset; before, it says what will be gone and what stays. */
export function RedactEvidenceDialog({ asset, redaction: { recordId, access, key }, onRedacted, onClose }: Props) {
  const { t } = useTranslation();
  const { client } = useSession();
  const reload = useReload();
  const { orAsk, asking } = useSecondPerson();
  const known = useWorkspaceQuery(
    ['record', recordId, 'to-redact', asset.id, key],
    async (client) => {
      const [record, same] = await Promise.all([
        client.records.get(recordId),
        asset.content_hash === null || asset.original !== 'stored'
          ? { items: [] }
          : client.evidence.list({ content_hash: asset.content_hash }, { size: ALSO_HELD_MAX }),
      ]);
      return { record, alsoHeld: same.items.map(({ id }) => id).filter((id) => id !== asset.id) };
    },
    { staleTime: Infinity },
  );
  const holds = useHoldsOf(recordId);
  const isWhole = access.segment_ids === null;

  async function redact(reason: string): Promise<void> {
    if (known.data === undefined) return;
    const record = await append(reason, known.data.record.events?.length ?? 0);
    if (record === undefined) return;
    const event = record.events?.findLast(({ event_type: type }) => type === 'redacted');
    onRedacted({ assets: event?.redacted_evidence ?? [], erasure: event?.erasure ?? null });
    for (const name of ['asset', 'assets', 'accesses', 'record', 'records']) void reload(name);
  }

  async function append(reason: string, version: number): Promise<AnswerRecord | undefined> {
    const payload = { redact_source_ref_ids: [access.source_ref_id] };
    const event = { event_type: 'redacted', reason, payload, version } as const;
    try {
      return await orAsk(
        () => ({ event: { answer_log_id: recordId, ...event } }),
        () => client.records.appendEvent(recordId, event, key),
      );
    } catch (refused) {
      if (!isConflict(refused)) throw refused;
      // Confirming again means that the reader has seen it.
      await known.refetch();
      throw new ChangedMeanwhileError();
    }
  }

  return (
    <>
      <ReasonDialog
        title={t('redactEvidence.title')}
        consequence={
          <>
            <Text>{t(isWhole ? 'redactEvidence.goneWhole' : 'redactEvidence.gonePassages')}</Text>
            <Text>{t('redactEvidence.goneRecord')}</Text>
            <Text>{t(isWhole ? 'redactEvidence.staysWhole' : 'redactEvidence.staysPassages')}</Text>
          </>
        }
        action={t('confirm.redacted')}
        isDangerous
        isReady={known.data !== undefined && holds.length === 0}
        onConfirm={redact}
        onClose={onClose}
      >
        {known.isPending ? (
          <Waiting />
        ) : known.isError ? (
          <ActionError error={known.error} />
        ) : (
          <>
            <Text>
              {t('record.title')} <span className="mono">{recordId}</span>{' '}
              <StatusChip status={known.data.record.status} />
            </Text>
            <AlsoHeld ids={known.data.alsoHeld} />
            <RecordHolds holds={holds} effect={t('redact.onHold')} />
          </>
        )}
      </ReasonDialog>
      {asking}
    </>
  );
}
