import type { Route } from '@answer-evidence/routes';
import { createIngestStage, type IngestDeps } from '@answer-evidence/stage-ingest';
import type { OpenedStage, StageContext } from './stage-context.ts';

/** Opens answer records: with the stores alone. */
export async function openIngest({ stores }: StageContext): Promise<OpenedStage> {
  return Promise.resolve({ stage: createIngestStage(stores) });
}

/** Building the stage uses nothing of what it is given; only its handlers do. */
export function describeIngest(): readonly Route[] {
  return createIngestStage({} as IngestDeps).routes;
}
