import { setTimeout } from 'node:timers/promises';
import type { Route } from '@answer-evidence/routes';
import { createOtlpStage, DECISION_REASONS, type DecisionReason, type OtlpDeps } from '@answer-evidence/stage-otlp';
import type { Config } from '../../ground/config.ts';
import { otlpOptionsOf } from '../../ground/otlp-options.ts';
import { registerOtlpMetrics } from '../../observability/otlp-metrics.ts';
import { createRefusalLines } from '../../observability/refusal-lines.ts';
import type { OpenedStage, StageContext } from './stage-context.ts';

/** Later than anything that is kept. */
const EVER = Number.MAX_SAFE_INTEGER;

/** Opens OTLP: with the counts of what has become of items in this process. */
export async function openOtlp({ config, stores, on }: StageContext): Promise<OpenedStage> {
  const { clock, work, otlp } = stores;
  const items = { accepted: 0, rejected: 0, ignored: 0, held: 0, droppedAttributes: 0 };
  const traces = Object.fromEntries(DECISION_REASONS.map((reason) => [reason, 0])) as Record<DecisionReason, number>;
  const ignored = new Map<string, number>();
  const stage = createOtlpStage({
    ...stores,
    pause: (ms, signal) => setTimeout(ms, undefined, { signal }),
    onItems(counts) {
      items.accepted += counts.accepted;
      items.rejected += counts.rejected;
      items.ignored += counts.ignored;
      items.held += counts.held;
      items.droppedAttributes += counts.droppedAttributes;
    },
    onTraces(reason, count) {
      traces[reason] += count;
    },
    onRefused: createRefusalLines((sentence) => on.notice?.(sentence), clock),
    onIgnored: (reason, count) => void ignored.set(reason, (ignored.get(reason) ?? 0) + count),
    ...otlpOptionsOf(config),
  });
  return Promise.resolve({
    stage,
    registerMetrics: (registry) => {
      registerOtlpMetrics(registry, {
        clock,
        items,
        traces,
        ignored,
        workspaceIds: async () => (await work.withOtlp(EVER, EVER)).map(({ id }) => id),
        readBacklog: (workspaceId) => otlp.backlog(workspaceId),
      });
    },
  });
}

/** Building the stage uses nothing of what it is given but settings; only its handlers do. */
export function describeOtlp(config: Config): readonly Route[] {
  return createOtlpStage(otlpOptionsOf(config) as OtlpDeps).routes;
}
