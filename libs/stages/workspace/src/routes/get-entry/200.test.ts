import { describe, expect, it } from '@jest/globals';
import { formatEntry, hashCoreText } from '@answer-evidence/commitments';
import { workspaceEntryList, workspaceEntryWithReceipt } from '@answer-evidence/contracts';
import { canonicalize, formatHex, parseHex, parseTimestamp } from '@answer-evidence/encoding';
import { openStage } from '@answer-evidence/testing';
import { createWorkspaceStage } from '../../stage.ts';

const ENTRIES = '/api/tenant/entries';

async function openFirst() {
  const stage = await openStage(createWorkspaceStage);
  const { items } = workspaceEntryList.parse((await stage.call('GET', ENTRIES, { as: stage.manager })).body);
  return { stage, item: items[0] };
}

describe('GET /api/tenant/entries/{entry_id}', () => {
  it('shows an entry as the list does, with a receipt of its leaf', async () => {
    const { stage, item } = await openFirst();
    const reply = await stage.call('GET', `${ENTRIES}/${item?.id}`, { as: stage.manager });
    const { receipt, ...entry } = workspaceEntryWithReceipt.parse(reply.body);
    expect(entry).toEqual(item);
    expect(receipt).toMatch(new RegExp(`^c2sp.org/tlog-proof@v1\nindex ${item?.ledger.leaf_index}\n`));
  });

  it('shows the core that the entry commits to', async () => {
    const { item } = await openFirst();
    const { type, hash, ...entry } = JSON.parse(item?.ledger.entry ?? '{}');
    const hashed = hashCoreText(type, canonicalize(item?.core ?? {}));
    expect(`sha256:${formatHex(hashed)}`).toBe(hash);
    expect(formatEntry({ ...entry, type, hash: parseHex(hash.slice(7)), at: parseTimestamp(entry.at) })).toBe(
      item?.ledger.entry,
    );
  });
});
