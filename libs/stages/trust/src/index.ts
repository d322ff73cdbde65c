import type { Stage } from '@answer-evidence/routes';
import { createTrustConsumers, TRUST_LOOKS } from './consumers/consumers.ts';
import type { TrustDeps } from './deps.ts';
import { addKeyRoute } from './routes/add-key/handler.ts';
import { checkLedgerRoute } from './routes/check-ledger/handler.ts';
import { createPackRoute } from './routes/create-pack/handler.ts';
import { createProofLinkRoute } from './routes/create-proof-link/handler.ts';
import { getPolicyRoute } from './routes/get-policy/handler.ts';
import { listAnchorsRoute } from './routes/list-anchors/handler.ts';
import { listCheckpointsRoute } from './routes/list-checkpoints/handler.ts';
import { listKeysRoute } from './routes/list-keys/handler.ts';
import { listProofLinksRoute } from './routes/list-proof-links/handler.ts';
import { listWitnessesRoute } from './routes/list-witnesses/handler.ts';
import { openProofLinkRoute } from './routes/open-proof-link/handler.ts';
import { proveRecordRoute } from './routes/prove-record/handler.ts';
import { putPolicyRoute } from './routes/put-policy/handler.ts';
import { readTlogRoute } from './routes/read-tlog/handler.ts';
import { retireKeyRoute } from './routes/retire-key/handler.ts';
import { revealProofRoute } from './routes/reveal-proof/handler.ts';
import { revokeProofLinkRoute } from './routes/revoke-proof-link/handler.ts';
import { runAnchorsRoute } from './routes/run-anchors/handler.ts';
import { showProofPageRoutes } from './routes/show-proof-page/handler.ts';
import { testAnchorRoute } from './routes/test-anchor/handler.ts';
import { testWitnessRoute } from './routes/test-witness/handler.ts';
import { verifyRecordRoute } from './routes/verify-record/handler.ts';

export { createPackAct } from './routes/create-pack/pack-act.ts';
export { createPolicyAct } from './policy/policy-act.ts';
export { describeUnusable, examineAllPlaces } from './anchoring/examine-places.ts';
export { hearAllAnchors, readAnchorsHeard } from './anchoring/hear-anchors.ts';
export type { AnchorHearing, TrustDeps } from './deps.ts';
export { createAnchoredCheckpoints } from './checkpoints/anchored-checkpoints.ts';
export { readAttestations } from './monitoring/read-attestations.ts';
export { type Exposure, readExposure } from './monitoring/read-exposure.ts';
export { readRenewalStanding } from './monitoring/read-renewal-standing.ts';
export { assertExtends, assertLogHolds } from './heads/assert-heads-hold.ts';
export { checkWholeLedger } from './heads/check-whole-ledger.ts';
export { createHeadKeeper } from './heads/create-head-keeper.ts';
export type { HeadKeeper } from './heads/head-keeper.ts';
export { createHeadStore } from './heads/head-store.ts';
export { THIS_SERVICE } from './heads/kept-claims.ts';
export type { SeenHead } from './heads/known-heads.ts';
export { describeServer, isSameServer, type ServerKnowledge } from './heads/outside-faults.ts';
export { inTurns } from './in-turns.ts';
export { hearWitnesses } from './witnessing/hear-witnesses.ts';

/** Verification, proofs, keys and checks of the ledger. */
export function createTrustStage(deps: TrustDeps): Stage {
  return {
    name: 'trust',
    routes: [
      verifyRecordRoute(deps),
      proveRecordRoute(deps),
      revealProofRoute(deps),
      createPackRoute(deps),
      createProofLinkRoute(deps),
      listProofLinksRoute(deps),
      revokeProofLinkRoute(deps),
      openProofLinkRoute(deps),
      ...showProofPageRoutes(deps),
      listKeysRoute(deps),
      checkLedgerRoute(deps),
      readTlogRoute(deps),
      getPolicyRoute(deps),
      putPolicyRoute(deps),
      listCheckpointsRoute(deps),
      listWitnessesRoute(deps),
      listAnchorsRoute(deps),
      runAnchorsRoute(deps),
      testAnchorRoute(deps),
      testWitnessRoute(deps),
      addKeyRoute(deps),
      retireKeyRoute(deps),
    ],
    tickers: [],
    consumers: createTrustConsumers(deps),
    schedules: [],
    looks: TRUST_LOOKS,
  };
}
