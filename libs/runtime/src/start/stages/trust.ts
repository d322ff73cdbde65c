import { verifyEd25519 } from '@answer-evidence/node-crypto';
import { checkStoredLedger, createTrustStore } from '@answer-evidence/postgres';
import type { Route } from '@answer-evidence/routes';
import { createTrustStage, hearWitnesses, readExposure, type TrustDeps } from '@answer-evidence/stage-trust';
import { registerTrustMetrics } from '../../observability/trust-metrics.ts';
import { openTrustTools } from '../open-trust-tools.ts';
import type { OpenedStage, StageContext } from './stage-context.ts';

/** Four logs at once in each of three parts, and two that a manager asked for. */
const LEAD_CONNECTIONS_MAX = 14;

/** How long a start waits for witnesses. */
const HEARING_MS = 5_000;

/** Opens what vouches for the logs: with connections for its leads, the way out, and the anchors. */
export async function openTrust({ config, stores, on }: StageContext): Promise<OpenedStage> {
  const { pool, directory, clock } = stores;
  const tools = await openTrustTools(config);
  const leadPool = stores.openPool('answer_evidence_app', LEAD_CONNECTIONS_MAX);
  const deps: TrustDeps = {
    ...stores,
    ...tools,
    trust: createTrustStore(pool, directory, leadPool),
    verifyEd25519,
    checkLedger: (workspace) => checkStoredLedger(pool, workspace),
    onFatal: on.fatal,
  };
  // What a rolled-back database has forgotten, the witnesses know.
  try {
    await hearWitnesses(deps, AbortSignal.timeout(HEARING_MS));
  } catch (error) {
    await leadPool.end();
    throw error;
  }
  return {
    stage: createTrustStage(deps),
    registerMetrics: (registry) => {
      registerTrustMetrics(registry, {
        clock,
        workspaceIds: async () => (await directory.list()).map(({ id }) => id),
        readExposure: (workspaceId) => readExposure(deps, workspaceId),
      });
    },
    close: () => leadPool.end(),
  };
}

/** Building the stage uses nothing of what it is given; only its handlers do. */
export function describeTrust(): readonly Route[] {
  return createTrustStage({} as TrustDeps).routes;
}
