import { parseArgs } from 'node:util';
import { isUuid } from '@answer-evidence/encoding';
import { systemClock } from '@answer-evidence/node-crypto';
import { listStoredWorkspaces } from '@answer-evidence/postgres';
import { StartError } from '../ground/start-error.ts';
import { type OperatorCommand, UsageError } from './command.ts';
import { withBareStores } from './with-stores.ts';

/**
 * Says of heads that the database will never have their workspace, so that checks name it no more, and keeps for ever
 * that it was said. Heads of a log that has had entries are evidence of a loss, which a person has to accept by name.
 */
export const forgetHeadsCommand: OperatorCommand = {
  name: 'heads-forget',
  usage: 'npm run operator -- heads-forget --workspace ID [--accept-loss]',
  purpose: 'Records that the database has no workspace for heads that are kept, as after a refused workspace-create.',
  parse(args) {
    const { values } = parseArgs({
      args: [...args],
      options: { workspace: { type: 'string' }, 'accept-loss': { type: 'boolean', default: false } },
    });
    const { workspace: id, 'accept-loss': acceptsLoss } = values;
    if (id === undefined) throw new UsageError();
    if (!isUuid(id))
      throw new StartError('--workspace must be the id of a workspace, as "npm run operator -- ledger-check" names it');
    return (operation) =>
      withBareStores(operation, async ({ pool, vault, headStore }) => {
        const stored = (await listStoredWorkspaces(pool, vault)).find((workspace) => workspace.id === id);
        if (stored !== undefined)
          throw new StartError(`the database has the workspace ${id} ("${stored.slug}"); its heads stay`);
        const kept = await headStore.find(id);
        if (kept === undefined) throw new StartError(`no head of the workspace ${id} is kept in ${headStore.place}`);
        if (kept.treeSize > 0 && !acceptsLoss)
          throw new StartError(
            `a head of ${kept.treeSize} entries of ${kept.origin} was signed (${kept.place}), so this database is older, ` +
              'another one, or has lost a workspace: restore the right one; if it is lost for good, add --accept-loss',
          );
        await headStore.forget(id, systemClock.nowMicros());
        operation.print(
          `${id}: forgotten; the head of ${kept.treeSize} entries and a record of it stay in ${kept.place}`,
        );
        return 0;
      });
  },
};
