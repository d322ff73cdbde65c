import { parseArgs } from 'node:util';
import { formatHex } from '@answer-evidence/encoding';
import { systemClock } from '@answer-evidence/node-crypto';
import type { Workspace } from '@answer-evidence/ports';
import { checkStoredLedger, readServer } from '@answer-evidence/postgres';
import { StartError } from '../ground/start-error.ts';
import type { Stores } from '../open/open-stores.ts';
import { type Operation, type OperatorCommand, UsageError } from './command.ts';
import { withStores } from './with-stores.ts';

/**
 * Accepts logs of which no head is kept outside of the database, as they are, and keeps for ever that it was done. A
 * log of which a head is kept is left alone: what it is refused for is the matter of a recovery.
 */
export const adoptHeadsCommand: OperatorCommand = {
  name: 'heads-adopt',
  usage: 'npm run operator -- heads-adopt --workspace SLUG | --all',
  purpose: 'Accepts logs of which no head is kept outside the database, as they are, and records that it was done.',
  parse(args) {
    const { values } = parseArgs({
      args: [...args],
      options: { workspace: { type: 'string' }, all: { type: 'boolean', default: false } },
    });
    const { workspace: slug, all } = values;
    if ((slug === undefined) !== all) throw new UsageError();
    return (operation) =>
      withStores(operation, async (stores) => {
        const workspaces = await stores.directory.list();
        const chosen = workspaces.filter((workspace) => all || workspace.slug === slug);
        if (chosen.length === 0 && !all) throw new StartError(`there is no workspace "${slug}"`);
        let faults = 0;
        for (const workspace of chosen) faults += await adopt(stores, workspace, operation);
        return faults === 0 ? 0 : 1;
      });
  },
};

/** Returns how many faults of the ledger kept it from being adopted. */
async function adopt(stores: Stores, workspace: Workspace, { print, report }: Operation): Promise<number> {
  const { id: workspaceId, slug, origin } = workspace;
  const { place } = stores.headStore;
  const kept = await stores.headStore.find(workspaceId);
  if (kept !== undefined) {
    print(`${slug}: a head is kept already, of ${kept.treeSize} entries (${kept.place}); nothing was changed`);
    return 0;
  }
  report(`checking the ledger of "${slug}" before it is adopted`);
  const { findings_total: faults } = await checkStoredLedger(stores.pool, workspace, stores.turn);
  if (faults > 0) {
    print(
      `${slug}: ${faults} faults; see npm run operator -- ledger-check, and restore another backup; nothing was changed`,
    );
    return faults;
  }
  const { head, root } = await stores.logs.snapshot(workspaceId);
  await stores.headStore.adopt(
    {
      workspaceId,
      origin,
      treeSize: head.tree_size,
      rootHash: formatHex(root),
      ...(await readServer(stores.pool)),
    },
    systemClock.nowMicros(),
  );
  print(`${slug}: adopted with ${head.tree_size} entries; the head and a record of it are in ${place}/${workspaceId}`);
  print('  anything signed above that is unknown here; compare receipts that callers hold');
  return 0;
}
