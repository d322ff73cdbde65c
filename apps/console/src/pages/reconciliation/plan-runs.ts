import type { ReconciliationRun } from '@answer-evidence/contracts';

/** What one completed run found. */
export type RunBar = {
  readonly id: string;
  readonly start: string;
  readonly application: string;
  readonly missing: number;
  readonly late: number;
  readonly unexpected: number;
};

/** More bars than this cannot be told apart. */
const BARS_MAX = 60;

/** The newest completed runs of a list, by the windows that they compared, the oldest first. */
export function planRuns(
  runs: readonly Pick<ReconciliationRun, 'id' | 'application_key' | 'counts' | 'window_start'>[],
): readonly RunBar[] {
  return runs
    .flatMap(({ id, application_key: application, counts, window_start: start }) =>
      counts === null
        ? []
        : [
            {
              ...{ id, start, application, missing: counts.missing_service },
              ...{ late: counts.late_service, unexpected: counts.unexpected_service },
            },
          ],
    )
    .slice(0, BARS_MAX)
    .toSorted((one, other) => Date.parse(one.start) - Date.parse(other.start));
}
