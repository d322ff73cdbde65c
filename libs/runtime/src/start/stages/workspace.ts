import { trimSlashes } from '@answer-evidence/encoding';
import { extractToken, parsePinnedCertificates } from '@answer-evidence/rfc3161';
import type { Route } from '@answer-evidence/routes';
import { createNamedBuckets } from '@answer-evidence/s3';
import { createEventAct, createExportAct, createHoldAct, createHoldReleaseAct } from '@answer-evidence/stage-ingest';
import { createPackAct, createPolicyAct, readAttestations } from '@answer-evidence/stage-trust';
import {
  type ApprovalDeps,
  createNotificationParts,
  createStreamParts,
  createWorkspaceStage,
  type NotificationDeps,
  type OverviewDeps,
  type StreamDeps,
} from '@answer-evidence/stage-workspace';
import { baseUrlOf, workspaceUrl } from '../../ground/addresses.ts';
import { createMailer } from '../../ground/create-mailer.ts';
import { createOutbound, createTlsOutbound } from '../../ground/create-outbound.ts';
import { registerStreamMetrics } from '../../observability/stream-metrics.ts';
import { createFairQueue } from '../../work/fair-queue.ts';
import type { OpenedStage, StageContext } from './stage-context.ts';

/** Sign-ins of devices that write at once, and those of one address that wait for that. */
const [DEVICE_LOGINS_AT_ONCE, DEVICE_LOGINS_WAITING_MAX] = [3, 100];

/** Opens accounts, tokens and settings: with the password hasher of the process. */
export async function openWorkspace({ config, stores, addresses, signingIn }: StageContext): Promise<OpenedStage> {
  const devices = createFairQueue(DEVICE_LOGINS_AT_ONCE, DEVICE_LOGINS_WAITING_MAX);
  const watched = {
    ...stores,
    readAttestations: (workspaceId: string) => readAttestations({ ...stores, extractToken }, workspaceId),
    expiring: { texts: stores.retention, evidence: stores.evidenceErasures, triage: stores.triage },
  };
  const policyJudges = { outbound: createOutbound(config), parseCertificates: parsePinnedCertificates };
  const stage = createWorkspaceStage({
    ...watched,
    inTurnOfAddress: (address, task) => devices.run({ owner: address, key: address }, task),
    membersMax: config.SERVICE_MEMBERS_MAX,
    tokensMax: config.SERVICE_TOKENS_MAX,
    ...signingIn(),
    ...(config.SERVICE_OIDC_ISSUER === undefined ? {} : { signInIssuer: config.SERVICE_OIDC_ISSUER }),
    acts: {
      event: createEventAct(stores),
      trust_policy: createPolicyAct({ ...stores, ...policyJudges }),
      hold: createHoldAct(stores),
      hold_release: createHoldReleaseAct(stores),
      export: createExportAct(stores),
      pack: createPackAct(stores),
    },
    linkUrl: (slug) => workspaceUrl(baseUrlOf(config), slug),
    ...addresses,
  });
  const outbound = createOutbound(config);
  const told = createNotificationParts({
    ...watched,
    outbound,
    mailer: createMailer(config),
    consoleUrl: (slug) => `${trimSlashes(workspaceUrl(baseUrlOf(config), slug))}/console`,
    isLogStopped: (workspaceId) => stores.heads.isStopped(workspaceId),
  });
  const streamed = createStreamParts({
    ...stores,
    outbound,
    outboundTls: createTlsOutbound(config),
    buckets: createNamedBuckets(outbound),
    hostName: new URL(baseUrlOf(config)).hostname,
  });
  return Promise.resolve({
    stage: {
      ...stage,
      routes: [...stage.routes, ...told.routes, ...streamed.routes],
      tickers: [...stage.tickers, ...told.tickers, ...streamed.tickers],
      consumers: [...stage.consumers, ...told.consumers],
    },
    registerMetrics: (registry) => {
      registerStreamMetrics(registry, {
        clock: stores.clock,
        workspaceIds: async () => (await stores.work.unstreamed()).map(({ id }) => id),
        readBacklog: (workspaceId) => stores.streams.readBacklog(workspaceId),
      });
    },
  });
}

/** Building the stage uses nothing of what it is given; only its handlers do. */
export function describeWorkspace(): readonly Route[] {
  return [
    ...createWorkspaceStage({} as ApprovalDeps & OverviewDeps).routes,
    ...createNotificationParts({} as NotificationDeps).routes,
    ...createStreamParts({} as StreamDeps).routes,
  ];
}
