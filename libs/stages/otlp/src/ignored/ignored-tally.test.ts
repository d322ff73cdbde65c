import { describe, expect, it } from '@jest/globals';
import type { OtlpFateRow, OtlpIgnoredRow } from '@answer-evidence/tables';
import { createIgnoredTally } from './ignored-tally.ts';

type Deps = Parameters<typeof createIgnoredTally>[0];
type Noted = Parameters<ReturnType<typeof createIgnoredTally>['note']>[0];

/** A tally, and what it has written of each workspace. */
function openTally() {
  const rows = new Map<string, OtlpIgnoredRow[]>();
  const fates = new Map<string, OtlpFateRow[]>();
  const tally = createIgnoredTally({
    clock: { nowMicros: () => 1_000_000 },
    random: { bytes: (size: number) => crypto.getRandomValues(new Uint8Array(size)) },
    otlp: {
      countIgnored(workspaceId: string, some: readonly OtlpIgnoredRow[], others: readonly OtlpFateRow[]) {
        rows.set(workspaceId, [...(rows.get(workspaceId) ?? []), ...some]);
        fates.set(workspaceId, [...(fates.get(workspaceId) ?? []), ...others]);
        return Promise.resolve();
      },
    },
  } as unknown as Deps);
  const note = (workspaceId: string, sender: string, count: number, { isHeld = false, names = ['a.name'] } = {}) =>
    tally.note({
      workspaceId,
      sender,
      bound: undefined,
      answered: new Set(isHeld ? Array.from({ length: count }, (_, n) => `trace ${n}`) : []),
      ignored: {
        kinds: Array.from({ length: count }, (_, n) => ({
          applicationKey: 'support-bot',
          scopeName: `scope ${n}`,
          reason: 'unrelated',
          attributeNames: names,
        })),
        items: Array.from({ length: count }, (_, n) => ({ kind: n, traceId: `trace ${n}`, spanId: `span ${n}` })),
      },
    } as unknown as Noted);
  return { note, rows, fates, write: () => tally.ticker.run(new AbortController().signal) };
}

describe('what is remembered of ignored items until it is written', () => {
  it('is a share of each token: what one of them fills takes nothing from the next one', async () => {
    const { note, rows, fates, write } = openTally();
    note('ours', 'greedy', 5_000);
    note('ours', 'honest', 3);
    await write();
    const of = (sender: string) => (row: { readonly sender: string }) => row.sender === sender;
    expect(rows.get('ours')?.filter(of('greedy'))).toHaveLength(1_001);
    expect(fates.get('ours')?.filter(of('greedy'))).toHaveLength(2_000);
    expect(
      rows
        .get('ours')
        ?.filter(of('honest'))
        .map(({ scope_name: scope }) => scope),
    ).toEqual(['scope 0', 'scope 1', 'scope 2']);
    expect(fates.get('ours')?.filter(of('honest'))).toHaveLength(3);
  });

  it('of names of held items is a share of each workspace', async () => {
    const { note, rows, write } = openTally();
    note('theirs', 'honest', 1, { isHeld: true, names: ['their.name'] });
    note('ours', 'greedy', 5_000, { isHeld: true });
    note('theirs', 'honest', 1, { names: [] });
    note('ours', 'greedy', 1, { names: [] });
    await write();
    expect(rows.get('theirs')?.[0]?.attribute_names).toBe('["their.name"]');
    expect(rows.get('ours')?.[0]?.attribute_names).toBe('[]');
  });
});
