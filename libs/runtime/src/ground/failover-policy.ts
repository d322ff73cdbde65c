import type { HeadServer } from '@answer-evidence/ports';

/** What the operator says of other servers that the database may be found on. */
type FailoverWord =
  /** These standbys are synchronous: one that is promoted has every commit that was acknowledged. */
  | { readonly kind: 'synchronous'; readonly standbys: readonly string[] }
  /** This very server has everything. */
  | { readonly kind: 'complete'; readonly systemIdentifier: string; readonly timeline: number };

/** The form of the setting. */
export const FAILOVER_WORD = /^(?:synchronous:([^\s,]+(?:,[^\s,]+)*)|complete:(\d{1,20})\/([1-9]\d{0,9}))$/;

function parseWord(text: string): FailoverWord | undefined {
  const [, standbys, systemIdentifier, timeline] = FAILOVER_WORD.exec(text) ?? [];
  if (standbys !== undefined) return { kind: 'synchronous', standbys: standbys.split(',') };
  if (systemIdentifier === undefined || timeline === undefined) return undefined;
  return { kind: 'complete', systemIdentifier, timeline: Number(timeline) };
}

/**
 * Whether a server lacks nothing that was signed on another one, by the operator's word. That of synchronous standbys
 * holds only for a promotion of the same cluster, and only if commits waited for one of them when the head was kept.
 */
export function createFailoverJudge(setting: string | undefined): (kept: HeadServer, server: HeadServer) => boolean {
  const word = setting === undefined ? undefined : parseWord(setting);
  return (kept, server) => {
    if (word === undefined) return false;
    if (word.kind === 'complete')
      return server.systemIdentifier === word.systemIdentifier && server.timeline === word.timeline;
    if (server.systemIdentifier !== kept.systemIdentifier) return false;
    if (kept.timeline === undefined || server.timeline === undefined || server.timeline < kept.timeline) return false;
    const waitedFor = parseStandbyNames(kept.synchronousStandbys ?? '');
    return word.standbys.some((name) => waitedFor.includes('*') || waitedFor.includes(name.toLowerCase()));
  };
}

/**
 * The names in `synchronous_standby_names`, in lower case, as PostgreSQL compares them: `a, b`, `2 (a, b)`,
 * `FIRST 1 (a, "B c")` or `ANY 1 (*)`.
 */
export function parseStandbyNames(setting: string): readonly string[] {
  const inner = /^\s*(?:(?:first|any)\s+)?\d+\s*\(([^()]*)\)\s*$/i.exec(setting)?.[1] ?? setting;
  return inner
    .split(',')
    .map((name) => name.trim())
    .map((name) => (name.startsWith('"') ? name.slice(1, -1).replaceAll('""', '"') : name).toLowerCase())
    .filter((name) => name !== '');
}
