import type { Clock } from '@answer-evidence/ports';
import type { OtlpDeps } from '@answer-evidence/stage-otlp';

/** How often one refusal is told of each workspace. */
const TOLD_EVERY_MICROS = 60_000_000;
/** Of how many reasons that is known of one workspace; its further ones count together. */
const REASONS_MAX = 20;
const FURTHER = 'for further reasons, which GET /api/answer-audit-logs/otel/ignored lists';

/** When a reason was told last, and how many there were since. */
type Told = { readonly at: number; readonly count: number };

/**
 * Tells the log of refused items, by their reasons: each at most once per minute and workspace, with how many there
 * were. What one workspace sends takes no line of another one.
 */
export function createRefusalLines(tell: (sentence: string) => void, clock: Clock): NonNullable<OtlpDeps['onRefused']> {
  const workspaces = new Map<string, Map<string, Told>>();
  return (workspaceId, detail, count) => {
    const reasons = workspaces.get(workspaceId) ?? new Map<string, Told>();
    workspaces.set(workspaceId, reasons);
    const name = reasons.has(detail) || reasons.size < REASONS_MAX ? detail : FURTHER;
    const now = clock.nowMicros();
    const known = reasons.get(name);
    const total = (known?.count ?? 0) + count;
    const isDue = known === undefined || now - known.at >= TOLD_EVERY_MICROS;
    reasons.set(name, isDue ? { at: now, count: 0 } : { at: known.at, count: total });
    if (isDue) tell(`OpenTelemetry items of workspace ${workspaceId} were refused (${total}): ${name}`);
  };
}
