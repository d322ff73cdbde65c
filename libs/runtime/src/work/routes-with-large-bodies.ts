import * as operations from '@answer-evidence/contracts/operations';
import { UNCOUNTED_BYTES } from '@answer-evidence/http-edge';
import type { Route } from '@answer-evidence/routes';
import { createEvidenceStage, type EvidenceDeps } from '@answer-evidence/stage-evidence';
import { createIngestStage, type IngestDeps } from '@answer-evidence/stage-ingest';
import { createOtlpStage, type OtlpDeps } from '@answer-evidence/stage-otlp';
import { createReconcileStage, type ReconcileDeps } from '@answer-evidence/stage-reconcile';
import type { otlpOptionsOf } from '../ground/otlp-options.ts';

/**
 * Routes that take large bodies. Building a stage uses nothing but settings; only its handlers do. Of other stages the
 * declared operations do: what their handlers use need not be loaded by each thread.
 */
export function routesWithLargeBodies(otlp: ReturnType<typeof otlpOptionsOf>): readonly Route[] {
  const built = [
    createIngestStage({} as IngestDeps),
    createEvidenceStage({} as EvidenceDeps),
    createReconcileStage({} as ReconcileDeps),
    createOtlpStage(otlp as OtlpDeps),
  ].flatMap((stage) => stage.routes);
  const known = new Set(built.map(({ operationId }) => operationId));
  const declared = (Object.values(operations) as readonly unknown[]).filter(hasLargeBody);
  return [...built, ...declared.filter(({ operationId }) => !known.has(operationId)).map(withoutHandler)];
}

function hasLargeBody(value: unknown): value is operations.Operation {
  if (typeof value !== 'object' || value === null || !('operationId' in value)) return false;
  return 'bodyBytesMax' in value && Number(value.bodyBytesMax) > UNCOUNTED_BYTES;
}

function withoutHandler(operation: operations.Operation): Route {
  return { ...operation, handle: () => Promise.reject(new Error('a thread handles nothing')) };
}
