import { extractToken } from '@answer-evidence/rfc3161';
import type { Route } from '@answer-evidence/routes';
import { createIngestStage, type IngestDeps } from '@answer-evidence/stage-ingest';
import { readAttestations } from '@answer-evidence/stage-trust';
import type { OpenedStage, StageContext } from './stage-context.ts';

/** Opens answer records: with the stores, and with who vouches for a log. */
export async function openIngest({ stores }: StageContext): Promise<OpenedStage> {
  return Promise.resolve({
    stage: createIngestStage({
      ...stores,
      readAttestations: (workspaceId) => readAttestations({ ...stores, extractToken }, workspaceId),
    }),
  });
}

/** Building the stage uses nothing of what it is given; only its handlers do. */
export function describeIngest(): readonly Route[] {
  return createIngestStage({} as IngestDeps).routes;
}
