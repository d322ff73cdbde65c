import { Alert } from '@mantine/core';
import { useTranslation } from 'react-i18next';
import type { HoldOfRecord } from '@answer-evidence/contracts';
import { PlainText } from '../../components/plain-text.tsx';
import { useSession } from '../../session/session-context.tsx';
import { useWorkspaceQuery } from '../../session/workspace-query.ts';

const NONE: readonly HoldOfRecord[] = [];

/** The holds in force that cover a record, oldest first; none for a reader who may not see holds. */
export function useHoldsOf(recordId: string): readonly HoldOfRecord[] {
  const { may } = useSession();
  const { data } = useWorkspaceQuery(['holds', 'of-record', recordId], (client) => client.holds.ofRecord(recordId), {
    enabled: may('holds.read'),
    refetchOnMount: 'always',
  });
  return data ?? NONE;
}

type Props = {
  readonly holds: readonly HoldOfRecord[];
  /** What the holds mean for what the reader is about to do. */
  readonly effect: string;
};

/** By which matters a record is on hold; nothing where it is not. */
export function RecordHolds({ holds, effect }: Props) {
  const { t } = useTranslation();
  if (holds.length === 0) return null;
  return (
    <Alert color="yellow" mb="md" className="wrapped">
      {holds.map(({ id, matter }) => (
        <div key={id}>
          {t('record.onHold')} <PlainText text={matter} />
        </div>
      ))}
      {effect}
    </Alert>
  );
}
