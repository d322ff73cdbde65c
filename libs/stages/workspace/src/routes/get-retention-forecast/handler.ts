import { FORECAST_COUNT_MAX, type ForecastSpan } from '@answer-evidence/contracts';
import { getRetentionForecast } from '@answer-evidence/contracts/operations';
import { formatTimestamp } from '@answer-evidence/encoding';
import { HELD_FROM } from '@answer-evidence/lifecycle';
import type { Clock } from '@answer-evidence/ports';
import { defineRoute, type Route } from '@answer-evidence/routes';
import type { OverviewDeps } from '../../overview/deps.ts';
import { planMonths } from '../../retention/plan-months.ts';

/** `GET /api/tenant/retention-forecast`: how many texts will be erased when, as their time stands now. */
export function getRetentionForecastRoute(deps: Pick<OverviewDeps, 'expiring'> & { readonly clock: Clock }): Route {
  return defineRoute({
    ...getRetentionForecast,
    async handle({ caller }) {
      const { workspaceId } = caller;
      const now = deps.clock.nowMicros();
      const count = async (from: number, before: number): Promise<Pick<ForecastSpan, 'texts' | 'relation'>> => {
        // One more than is told, so that the most that is told is exact.
        const due = await deps.expiring.texts.countDue(workspaceId, from, before, FORECAST_COUNT_MAX + 1);
        return { texts: Math.min(due, FORECAST_COUNT_MAX), relation: due > FORECAST_COUNT_MAX ? 'gte' : 'eq' };
      };
      const spans: ForecastSpan[] = [];
      let from = now;
      for (const before of planMonths(now)) {
        spans.push({ from: formatTimestamp(from), before: formatTimestamp(before), ...(await count(from, before)) });
        from = before;
      }
      spans.push({ from: formatTimestamp(from), before: null, ...(await count(from, HELD_FROM)) });
      const [overdue, onHold] = [await count(0, now), await count(HELD_FROM, Number.MAX_SAFE_INTEGER)];
      return { status: 200, body: { now: formatTimestamp(now), overdue, on_hold: onHold, spans } };
    },
  });
}
