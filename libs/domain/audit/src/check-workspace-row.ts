import { assertSame, CheckFailure } from '@answer-evidence/verify/verdict';
import type { LogWalk } from './check-leaves.ts';
import type { Findings } from './findings.ts';
import type { LogReader, LooseRowReader } from './ledger-reader.ts';

/**
 * The workspace's own row against its MAC and the log: the slug is part of the log's name for ever, and the workspace
 * is as old as the genesis. Then the MAC of every other row that no leaf covers.
 */
export async function checkWorkspaceRow(
  reader: LooseRowReader & Pick<LogReader, 'workspaceId' | 'origin'>,
  walk: LogWalk,
  findings: Findings,
): Promise<void> {
  const place = { check: 'workspace', object: `workspace ${reader.workspaceId}`, leafIndex: null };
  const row = await findings.guard(place, async () => (await reader.workspaceRow()) ?? 'none');
  if (row === 'none') findings.add(place, 'its row is missing');
  else if (row !== undefined) {
    const comparisons = [
      () => assertSame('its slug', reader.origin.split('/').at(-2) ?? '', row.slug),
      () => assertSame('the time of its creation', walk.firstAt, row.created_at),
      () => {
        if (!row.isMacValid) throw new CheckFailure('the MAC of its row is missing or wrong');
      },
    ];
    for (const compare of comparisons) await findings.guard(place, compare);
  }
  await findings.guard({ check: 'row_mac', object: 'rows outside of the log', leafIndex: null }, async () => {
    for await (const batch of reader.forgedRows())
      for (const { table, id } of batch)
        findings.add({ check: 'row_mac', object: `${table} ${id}`, leafIndex: null }, 'its MAC is missing or wrong');
  });
}
