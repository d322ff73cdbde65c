import { ROUTE_TABLE } from '../../tools/scenery/route-table.ts';
import type { Target } from '../../tools/scenery/tenants.ts';
import type { TestService } from '../../tools/scenery/test-service.ts';

const OF_NONE = ['approvalId', 'entryId', 'holdId', 'notificationId', 'streamId', 'targetId', 'viewId'];

/** Asks for all that a service with everything in it shows, by every route that only reads. */
export async function readEveryRoute(service: TestService, records: Readonly<Record<string, string>>): Promise<void> {
  const first = async (path: string) => (await service.call('GET', path)).body.items[0].id as string;
  const recordId = records['identified'] ?? '';
  // Of what there is none, which is found out last.
  const none = Object.fromEntries(OF_NONE.map((name) => [name, recordId]));
  const target = {
    ...none,
    slug: (await service.call('GET', '/api/whoami')).body.workspace.slug,
    recordId,
    assetId: await first('/api/evidence-assets'),
    runId: await first('/api/reconciliations/runs'),
    deadLetterId: await first('/api/dead-letters'),
    memberId: await first('/api/members'),
    tokenId: await first('/api/tokens'),
  } as Target;
  for (const [name, { path }] of Object.entries(ROUTE_TABLE))
    if (name.startsWith('GET ')) await service.call('GET', path(target));
}
