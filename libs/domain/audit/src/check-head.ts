import { concatBytes, formatHex } from '@answer-evidence/encoding';
import { assertSame, CheckFailure } from '@answer-evidence/verify/verdict';
import type { LogWalk } from './check-leaves.ts';
import type { Findings } from './findings.ts';
import type { LogReader } from './ledger-reader.ts';

/** Every column of the head against the leaves, and its MAC. */
export async function checkHead(reader: LogReader, walk: LogWalk, findings: Findings): Promise<void> {
  const place = { check: 'head', object: 'head', leafIndex: null };
  const head = await findings.guard(place, async () => (await reader.head()) ?? 'none');
  if (head === undefined) return;
  if (head === 'none') {
    findings.add(place, 'it is missing');
    return;
  }
  const comparisons = [
    () => assertSame('its tree size', walk.tree.size, head.tree_size),
    () => assertSame('its frontier', formatHex(concatBytes(...walk.tree.frontier)), formatHex(head.right_edge)),
    () => assertSame('the time of its last leaf', walk.lastAt, head.last_at),
    () => assertSame('its settings version', walk.settings.last, head.settings_version),
    async () => {
      if (!(await reader.isHeadMacValid(head))) throw new CheckFailure('its MAC is invalid');
    },
  ];
  for (const compare of comparisons) await findings.guard(place, compare);
}
