import { createFindMembersCommand } from '@answer-evidence/ledger';
import { systemClock, systemRandom } from '@answer-evidence/node-crypto';
import { type Ledger, newCoreIdentity } from '@answer-evidence/ports';
import type { Stores } from './open-stores.ts';

/** Enters the members of workspaces from before logs named members; any process may do it, and one does. */
export async function findUnnamedMembers(
  stores: Pick<Stores, 'work' | 'logs' | 'members'> & { readonly ledger: Ledger },
): Promise<void> {
  for (const { id } of await stores.work.withUnnamedMembers()) {
    if ((await stores.logs.workspaceEntries(id, 'member_changed')).length > 0) continue;
    await stores.ledger.append(id, async () => {
      const there = await stores.members.all(id);
      const identities = there.map(() => newCoreIdentity({ clock: systemClock, random: systemRandom }));
      return createFindMembersCommand(id, identities, { kind: 'service', id: 'start', token_id: null });
    });
  }
}
