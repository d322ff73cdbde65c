import { Group } from '@mantine/core';
import { useQuery } from '@tanstack/react-query';
import { useParams } from '@tanstack/react-router';
import { useState } from 'react';
import { useTranslation } from 'react-i18next';
import { ErrorState } from '../../components/error-state.tsx';
import { PageHead } from '../../components/page-head.tsx';
import { StatusChip } from '../../components/status-chip.tsx';
import { Waiting } from '../../components/waiting.tsx';
import { useSession } from '../../session/session-context.tsx';
import { PackButton } from './pack-button.tsx';
import { RecordActions } from './record-actions.tsx';
import { RecordAttestations } from './record-attestations.tsx';
import { RecordFacts } from './record-facts.tsx';
import { RecordReveals } from './record-reveals.tsx';
import { RecordSources } from './record-sources.tsx';
import { RecordTexts } from './record-texts.tsx';
import { RecordTimeline } from './record-timeline.tsx';
import { RecordTraces } from './record-traces.tsx';
import type { Reveal } from './reveal-dialog.tsx';
import { VerificationPanel } from './verification/verification-panel.tsx';

/** One record: what was said, what became of it, and what proves it. */
export function RecordPage() {
  const { recordId } = useParams({ from: '/records/$recordId' });
  // Another record has another page, which knows nothing of what was revealed on this one.
  return <PageOf key={recordId} recordId={recordId} />;
}

function PageOf({ recordId }: { readonly recordId: string }) {
  const { t } = useTranslation();
  const { client, session, isManager } = useSession();
  const [reveal, setReveal] = useState<Reveal | null>(null);
  const query = useQuery({
    queryKey: ['record', session.workspace.id, recordId],
    queryFn: () => client.records.get(recordId),
  });
  if (query.isPending) return <Waiting />;
  if (query.isError) return <ErrorState error={query.error} onRetry={() => void query.refetch()} />;
  const record = query.data;
  return (
    <>
      <PageHead title={t('record.title')}>
        <Group>
          <StatusChip status={record.status} />
          {isManager && <PackButton recordIds={[record.id]} />}
          {isManager && <RecordActions record={record} />}
        </Group>
      </PageHead>
      <RecordTexts record={record} reveal={reveal} onReveal={setReveal} />
      <RecordFacts record={record} />
      <RecordAttestations record={record} />
      <RecordSources record={record} />
      <RecordTraces record={record} />
      <RecordTimeline record={record} />
      {isManager && <RecordReveals recordId={record.id} />}
      <VerificationPanel recordId={record.id} reason={reveal?.reason} />
    </>
  );
}
