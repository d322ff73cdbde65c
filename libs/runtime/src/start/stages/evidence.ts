import { createContentSniffer } from '@answer-evidence/file-type';
import { createHtmlReader } from '@answer-evidence/html-text';
import type { Route } from '@answer-evidence/routes';
import { createEvidenceStage, type EvidenceDeps } from '@answer-evidence/stage-evidence';
import { traceObjects } from '../../observability/tracing/trace-parts.ts';
import { openObjectStore } from '../../open/open-object-store.ts';
import type { OpenedStage, StageContext } from './stage-context.ts';

/** Opens evidence with its object store, which is tried out. Throws `StartError` for what a person has to fix. */
export async function openEvidence({ config, stores, report, work }: StageContext): Promise<OpenedStage> {
  const objects = await openObjectStore(config);
  try {
    await objects.check(report);
  } catch (error) {
    objects.close();
    throw error;
  }
  const stage = createEvidenceStage({
    ...stores,
    objects: stores.tracing === undefined ? objects.store : traceObjects(objects.store, stores.tracing),
    sniffer: createContentSniffer(),
    htmlReader: createHtmlReader(),
    ...(work === undefined ? {} : { splitElsewhere: (...text) => work.split(...text) }),
  });
  return {
    stage,
    async close() {
      objects.close();
      return Promise.resolve();
    },
  };
}

/** Building the stage uses nothing of what it is given; only its handlers do. */
export function describeEvidence(): readonly Route[] {
  return createEvidenceStage({} as EvidenceDeps).routes;
}
