import { verifySignature } from '@answer-evidence/node-crypto';
import { createTrustStore } from '@answer-evidence/postgres';
import type { Route } from '@answer-evidence/routes';
import {
  createTrustStage,
  describeUnusable,
  hearAllAnchors,
  hearWitnesses,
  readAnchorsHeard,
  readExposure,
  type TrustDeps,
} from '@answer-evidence/stage-trust';
import { baseUrlOf, workspaceUrl } from '../../ground/addresses.ts';
import { AnchorHearings } from '../../observability/anchor-hearings.ts';
import { registerTrustMetrics } from '../../observability/trust-metrics.ts';
import { openOriginalsCheck } from '../../open/open-originals-check.ts';
import { openTrustTools } from '../../open/open-trust-tools.ts';
import { createLedgerCheck } from './ledger-check.ts';
import { shareChecks } from './share-checks.ts';
import type { OpenedStage, StageContext } from './stage-context.ts';

/** Four logs at once in each of three parts, and two that a manager asked for. */
const LEAD_CONNECTIONS_MAX = 14;

/** How long a start waits for witnesses, and for the places of anchors. */
const HEARING_MS = 5_000;

/** Opens what vouches for the logs: with connections for its leads, the way out, and the anchors. */
export async function openTrust({ config, stores, addresses, report, on }: StageContext): Promise<OpenedStage> {
  const { pool, directory, work, clock } = stores;
  const tools = await openTrustTools(config);
  const originals = await openOriginalsCheck(config, stores);
  const leadPool = stores.openPool('answer_evidence_app', LEAD_CONNECTIONS_MAX);
  async function close(): Promise<void> {
    originals?.close();
    await leadPool.end();
  }
  const hearings = new AnchorHearings(report, clock);
  const deps: TrustDeps = {
    ...stores,
    ...tools,
    linkUrl: (slug) => workspaceUrl(baseUrlOf(config), slug),
    ...addresses,
    trust: createTrustStore(pool, directory, leadPool),
    verifySignature,
    onAnchorHeard: (hearing) => hearings.note(hearing),
    onAnchorUnusable: (anchor) => on.warning?.(describeUnusable(anchor)),
    checkLedger: shareChecks(createLedgerCheck(stores, originals)),
  };
  // What a rolled-back database has forgotten, the witnesses and the published anchors know.
  try {
    const signal = AbortSignal.timeout(HEARING_MS);
    await Promise.all([hearWitnesses(deps, signal), hearAllAnchors(deps, signal)]);
  } catch (error) {
    await close();
    throw error;
  }
  return {
    stage: createTrustStage(deps),
    registerMetrics: (registry) => {
      hearings.register(registry, (workspace) => readAnchorsHeard(deps, workspace));
      registerTrustMetrics(registry, {
        clock,
        // Of any other log everything is published, and nobody else is asked to vouch for it.
        workspaceIds: async () =>
          new Set([...(await work.unpublished()), ...(await work.withTrustPolicy())].map(({ id }) => id)),
        readExposure: (workspaceId) => readExposure(deps, workspaceId),
      });
    },
    close,
  };
}

/** Building the stage uses nothing of what it is given; only its handlers do. */
export function describeTrust(): readonly Route[] {
  return createTrustStage({} as TrustDeps).routes;
}
