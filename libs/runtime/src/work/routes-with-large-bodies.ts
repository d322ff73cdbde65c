import type { Route } from '@answer-evidence/routes';
import { createEvidenceStage, type EvidenceDeps } from '@answer-evidence/stage-evidence';
import { createIngestStage, type IngestDeps } from '@answer-evidence/stage-ingest';
import { createOtlpStage, type OtlpDeps } from '@answer-evidence/stage-otlp';
import { createReconcileStage, type ReconcileDeps } from '@answer-evidence/stage-reconcile';
import type { otlpOptionsOf } from '../ground/otlp-options.ts';

/** Routes of the stages that take large bodies. Building a stage uses nothing but settings; only its handlers do. */
export function routesWithLargeBodies(otlp: ReturnType<typeof otlpOptionsOf>): readonly Route[] {
  return [
    createIngestStage({} as IngestDeps),
    createEvidenceStage({} as EvidenceDeps),
    createReconcileStage({} as ReconcileDeps),
    createOtlpStage(otlp as OtlpDeps),
  ].flatMap((stage) => stage.routes);
}
