import type { Route } from '@answer-evidence/routes';
import { createOtlpStage, type OtlpDeps } from '@answer-evidence/stage-otlp';
import { registerOtlpMetrics } from '../../observability/otlp-metrics.ts';
import type { Config } from '../config.ts';
import { otlpOptionsOf } from '../otlp-options.ts';
import type { OpenedStage, StageContext } from './stage-context.ts';

/** Opens OTLP: with the counts of what has become of items in this process. */
export async function openOtlp({ config, stores, turn }: StageContext): Promise<OpenedStage> {
  const { clock, directory, otlp } = stores;
  const items = { accepted: 0, rejected: 0, ignored: 0, droppedAttributes: 0 };
  const stage = createOtlpStage({
    ...stores,
    turn,
    onItems(counts) {
      items.accepted += counts.accepted;
      items.rejected += counts.rejected;
      items.ignored += counts.ignored;
      items.droppedAttributes += counts.droppedAttributes;
    },
    ...otlpOptionsOf(config),
  });
  return Promise.resolve({
    stage,
    registerMetrics: (registry) => {
      registerOtlpMetrics(registry, {
        clock,
        items,
        workspaceIds: async () => (await directory.list()).map(({ id }) => id),
        readBacklog: (workspaceId) => otlp.backlog(workspaceId),
      });
    },
  });
}

/** Building the stage uses nothing of what it is given but settings; only its handlers do. */
export function describeOtlp(config: Config): readonly Route[] {
  return createOtlpStage(otlpOptionsOf(config) as OtlpDeps).routes;
}
