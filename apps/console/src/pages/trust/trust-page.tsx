import { Button, Group } from '@mantine/core';
import { useTranslation } from 'react-i18next';
import { readSession } from '../../api/session.ts';
import { ActionError } from '../../components/action-error.tsx';
import { Loaded } from '../../components/loaded.tsx';
import { PageHead } from '../../components/page-head.tsx';
import { useAction } from '../../components/use-action.ts';
import { useSession } from '../../session/session-context.tsx';
import { useReload, useWorkspaceQuery } from '../../session/workspace-query.ts';
import { AnchorTable } from './anchor-table.tsx';
import { AttestationCards } from './attestation-cards.tsx';
import { LagChart } from './lag-chart.tsx';
import { LedgerCheck } from './ledger-check.tsx';
import { LogKeys } from './log-keys.tsx';
import { planLag } from './plan-lag.ts';
import { PolicyEditor } from './policy/policy-editor.tsx';
import { StandbyWarning } from './standby-warning.tsx';
import { WhoFails } from './who-fails.tsx';
import { WitnessTable } from './witness-table.tsx';

const PAGE = { size: 50 };
const REFRESH_MS = 10_000;

/** Who vouches for the log, how far, and what nobody outside of the service vouches for yet. */
export function TrustPage() {
  const { t } = useTranslation();
  const { client, may } = useSession();
  const reload = useReload();
  const { isBusy, error, run } = useAction();
  const state = useWorkspaceQuery(
    ['trust'],
    async (client) => {
      const [policy, checkpoints, anchors, witnesses, now] = await Promise.all([
        client.trust.policy(),
        client.trust.checkpoints(PAGE),
        client.trust.anchors(PAGE),
        client.trust.witnesses(),
        // It may have been set up, or put right, since the session was opened.
        readSession(),
      ]);
      const lag = planLag(checkpoints.items, anchors.items, anchors.next_cursor !== null);
      const asynchronousStandbys = now?.asynchronous_standbys ?? 0;
      return { policy, checkpoints: checkpoints.items, anchors: anchors.items, witnesses, lag, asynchronousStandbys };
    },
    { refetchInterval: REFRESH_MS },
  );
  const anchorNow = () =>
    run(async () => {
      await client.trust.runAnchors();
      await reload('trust');
    });
  return (
    <>
      <PageHead title={t('trust.title')}>
        {may('trust.manage') && (
          <Group>
            <Button loading={isBusy} onClick={() => void anchorNow()}>
              {t('trust.anchorNow')}
            </Button>
          </Group>
        )}
      </PageHead>
      <ActionError error={error} />
      <Loaded query={state}>
        {({ policy, checkpoints, anchors, witnesses, lag, asynchronousStandbys }) => (
          <>
            <WhoFails />
            <StandbyWarning asynchronousStandbys={asynchronousStandbys} />
            <AttestationCards policy={policy} checkpoints={checkpoints} anchors={anchors} />
            <WitnessTable witnesses={witnesses} signed={checkpoints[0]?.tree_size ?? 0} />
            <AnchorTable anchors={anchors} policy={policy} />
            <LagChart lag={lag} />
            <LogKeys />
            {may('ledger.check') && <LedgerCheck />}
            {may('trust.manage') && <PolicyEditor first={policy} />}
          </>
        )}
      </Loaded>
    </>
  );
}
