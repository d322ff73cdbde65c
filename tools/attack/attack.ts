import type { Probe } from './probe.ts';
import type { Scene } from './scene.ts';

/** What an attack came to: how much it sent, what was seen, and what must not be, in words. */
export type Outcome = { readonly requests: number; readonly seen: string; readonly breaches: readonly string[] };

/** The kinds of attacks; each is a file in `attacks/`. */
export const KINDS = [
  'authorisation',
  'tokens',
  'framings',
  'floods',
  'slow bodies',
  'hostile texts',
  'large requests',
  'damage',
] as const;

/** One attack on a service of its own. */
export type Attack = {
  readonly kind: (typeof KINDS)[number];
  readonly name: string;
  /** How long a lone create of the other workspace may take meanwhile, on an idle machine. */
  readonly probeMsMax: number;
  run(scene: Scene, probe: Pick<Probe, 'alone'>): Promise<Outcome>;
};

/** An attack by its kind and name, as `--only` looks for it and as the page has it. */
export function nameOf({ kind, name }: Pick<Attack, 'kind' | 'name'>): string {
  return `${kind}: ${name}`;
}

/** Numbers of replies by status, the most frequent first: `200 × 12, 429 × 3`. */
export function describeStatuses(statuses: readonly (number | string)[]): string {
  const counts = new Map<number | string, number>();
  for (const status of statuses) counts.set(status, (counts.get(status) ?? 0) + 1);
  return [...counts]
    .sort(([, a], [, b]) => b - a)
    .map(([status, count]) => `${status} × ${count}`)
    .join(', ');
}

/** A breach for each reply that is a fault of the service. */
export function serverFaults(what: string, statuses: readonly (number | string)[]): readonly string[] {
  return statuses.some((status) => status === 500 || status === 502) ? [`${what}: 500`] : [];
}

/** What came of requests by the statuses of their replies. */
export function outcomeOf(statuses: readonly (number | string)[], breaches: readonly string[] = []): Outcome {
  return {
    requests: statuses.length,
    seen: describeStatuses(statuses),
    breaches: [...breaches, ...serverFaults('', statuses)],
  };
}
