import { Group, Text } from '@mantine/core';
import { useParams } from '@tanstack/react-router';
import { useState } from 'react';
import { useTranslation } from 'react-i18next';
import type { AnswerRecord } from '@answer-evidence/contracts';
import { ErrorState } from '../../components/error-state.tsx';
import { PageHead } from '../../components/page-head.tsx';
import { nameControls } from '../../components/split-controls.ts';
import { StatusChip } from '../../components/status-chip.tsx';
import { Waiting } from '../../components/waiting.tsx';
import { useSession } from '../../session/session-context.tsx';
import { useWorkspaceQuery } from '../../session/workspace-query.ts';
import { formatMoment } from './format-moment.ts';
import { LinkButton } from './link-button.tsx';
import { PackButton } from './pack-button.tsx';
import classes from './record.module.css';
import { RecordActions } from './record-actions.tsx';
import { RecordAttestations } from './record-attestations.tsx';
import { RecordFacts } from './record-facts.tsx';
import { RecordHolds, useHoldsOf } from './record-holds.tsx';
import { RecordSources } from './record-sources.tsx';
import { RecordStory } from './record-story.tsx';
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
  const { may } = useSession();
  const [reveal, setReveal] = useState<Reveal | null>(null);
  const query = useWorkspaceQuery(['record', recordId], (client) => client.records.get(recordId));
  const holds = useHoldsOf(recordId);
  if (query.isPending) return <Waiting />;
  if (query.isError) return <ErrorState error={query.error} onRetry={() => void query.refetch()} />;
  const record = query.data;
  return (
    <>
      <Head record={record}>
        {may('packs') && <PackButton recordIds={[record.id]} />}
        {may('proof_links') && record.status !== 'redacted' && <LinkButton recordId={record.id} />}
        {may('events.append') && <RecordActions record={record} />}
      </Head>
      <RecordHolds holds={holds} effect={t('record.onHoldText')} />
      <RecordStory record={record} />
      <div className={classes['columns']}>
        <div>
          <RecordTexts record={record} reveal={reveal} onReveal={setReveal} />
          <RecordSources record={record} />
          <VerificationPanel recordId={record.id} reason={reveal?.reason} />
        </div>
        <div>
          <RecordTimeline record={record} />
          <RecordAttestations record={record} />
          <RecordFacts record={record} />
          <RecordTraces record={record} />
        </div>
      </div>
    </>
  );
}

/** Names the record by its application and its time: an id tells a reader nothing. */
function Head({ record, children }: { readonly record: AnswerRecord; readonly children: React.ReactNode }) {
  const { t, i18n } = useTranslation();
  const at = formatMoment(record.created_at, i18n.language);
  return (
    <>
      <Group gap="xs" mb={4}>
        <Text size="sm" c="dimmed">
          {t('record.title')} <span className="mono">{nameControls(record.id.slice(-8))}</span>
        </Text>
        <StatusChip status={record.status} />
      </Group>
      <PageHead title={`${nameControls(record.application_key)} · ${at}`}>
        <Group>{children}</Group>
      </PageHead>
    </>
  );
}
