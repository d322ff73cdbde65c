import { formatHex, parseHex } from '@answer-evidence/encoding';
import { parseVkey } from '@answer-evidence/note';
import {
  beginsWith,
  type HeadErrorCode,
  type HeadServer,
  type HeadStore,
  type KeptClaim,
  type KeptHead,
  type LogSnapshot,
  type LogStore,
  type Workspace,
} from '@answer-evidence/ports';
import { describeClaim, THIS_SERVICE } from './kept-claims.ts';

/** One thing that speaks against a log from outside of its database. */
export type OutsideFault = {
  readonly code: HeadErrorCode;
  /** What it is, for everyone who may read the log. */
  readonly detail: string;
  /** Where it can be looked at, for those who run the service; continues the sentence. */
  readonly where: string;
};

/** What is known of the server that holds the logs. */
export type ServerKnowledge = {
  /** Which one it is. */
  readonly server: () => Promise<HeadServer>;
  /** Whether it lacks nothing that was signed on another one: the operator's word, as far as heads bear it out. */
  readonly lacksNothing: (kept: HeadServer, server: HeadServer) => boolean;
};

/** What a log is held against its kept head with. Without a server, the one that holds the log may be any. */
export type OutsideDeps = {
  readonly logs: LogStore;
  readonly headStore: Pick<HeadStore, 'find' | 'place'>;
  readonly servers?: ServerKnowledge | undefined;
};

/** Everything that speaks against a log: keys that are not its own, then what is kept outside, read before it. */
export async function findOutsideFaults(
  { logs, headStore, servers }: OutsideDeps,
  workspace: Workspace,
  kept: KeptHead | undefined,
): Promise<readonly OutsideFault[]> {
  const first = { vkey: workspace.vkey, publicKey: workspace.vault.firstLedgerKey.publicKey };
  const foreign = [first, ...(await logs.signer(workspace.id)).keys].some(
    ({ vkey, publicKey }) => formatHex(parseVkey(vkey).publicKey) !== formatHex(publicKey),
  );
  return [
    ...(foreign ? [refused(`the signing key of "${workspace.slug}" is not the key of its ledger`)] : []),
    ...(await findHeadFaults(workspace, kept, await logs.snapshot(workspace.id), headStore.place, servers)),
  ];
}

/**
 * What the kept head has against a log. The snapshot must be the later one of the two. Throws `StoredDamageError` for a
 * log whose stored hashes do not lead to its head: that is no other history.
 */
export async function findHeadFaults(
  { slug, origin }: Workspace,
  kept: KeptHead | undefined,
  snapshot: LogSnapshot,
  place: string,
  servers?: ServerKnowledge,
): Promise<readonly OutsideFault[]> {
  const { head } = snapshot;
  const log = `the ledger of "${slug}"`;
  if (kept === undefined) {
    if (head.tree_size === 0) return [];
    const detail = `${log} holds ${head.tree_size} entries, but no head of it is kept`;
    return [{ code: 'head_missing', detail, where: ` in ${place}` }];
  }
  if (kept.origin !== origin)
    return [refused(`the database holds the log ${origin} of "${slug}", but the last signed log is ${kept.origin}`)];
  const faults = kept.twins.map(({ treeSize, places }) =>
    refused(`the log ${origin} has ${places.length} roots at size ${treeSize}`, `: ${places.join(' and ')}`),
  );
  async function compare({ treeSize, rootHash }: Pick<KeptHead, 'treeSize' | 'rootHash'>, keptAs: string, where = '') {
    if (head.tree_size < treeSize) {
      const words = `${log} holds ${head.tree_size} entries, but ${treeSize} were signed`;
      faults.push(refused(`${words}: the database is older than its log`, where));
    } else if (!(await holds(snapshot, treeSize, rootHash)))
      faults.push(refused(`${log} differs from the one signed at size ${treeSize}`, ` (kept as ${keptAs})`));
  }
  await compare(kept, kept.place);
  for (const claim of kept.claims) {
    const { party, treeSize, rootHash, place: keptAs } = claim;
    if (party === THIS_SERVICE && rootHash !== undefined) {
      await compare({ treeSize, rootHash }, keptAs, ` (a process that ended had seen it, kept as ${keptAs})`);
      continue;
    }
    if (await isMet(claim, snapshot)) continue;
    const seen = claim.seenAt === undefined ? '' : `seen at ${claim.seenAt}, `;
    const where = ` (${seen}kept as ${claim.place})`;
    faults.push({ code: 'log_disputed', detail: `${log} was rolled back: ${describeClaim(claim)}`, where });
  }
  const moved = faults.length === 0 ? await findServerFault(slug, kept, servers) : undefined;
  if (moved !== undefined) faults.push(moved);
  return faults;
}

/** That a log is on another server than its newest head, and may lack what was signed after it. */
export async function findServerFault(
  slug: string,
  kept: KeptHead,
  servers: ServerKnowledge | undefined,
): Promise<OutsideFault | undefined> {
  const server = await servers?.server();
  if (servers === undefined || server === undefined) return undefined;
  if (isSameServer(kept, server) || servers.lacksNothing(kept, server)) return undefined;
  return {
    code: 'server_changed',
    detail: `the ledger of "${slug}" is on ${describeServer(server)}, but its newest head was kept on ${describeServer(kept)}`,
    where: ` (${kept.place}): entries that were signed after that head may be missing`,
  };
}

/** Whether a head was kept on this server, as far as it says: a head of the first form says nothing. */
export function isSameServer(kept: HeadServer, server: HeadServer): boolean {
  return kept.timeline === undefined || isNamed(kept, server);
}

/** Whether a head names this very server. */
export function isNamed(kept: HeadServer, { systemIdentifier, timeline }: HeadServer): boolean {
  return kept.systemIdentifier === systemIdentifier && kept.timeline === timeline;
}

/** A server as a sentence names it. */
export function describeServer({ systemIdentifier, timeline }: HeadServer): string {
  return timeline === undefined ? `the server ${systemIdentifier}` : `the server ${systemIdentifier}/${timeline}`;
}

/**
 * Whether the log holds the very tree that the party has seen, as it does once the right database is back. A party that
 * shows no root is not met by a log that has grown: that may be another history of the same size.
 */
async function isMet({ treeSize, rootHash }: KeptClaim, snapshot: LogSnapshot): Promise<boolean> {
  if (rootHash === undefined || treeSize > snapshot.head.tree_size) return false;
  return holds(snapshot, treeSize, rootHash);
}

function holds({ head, root, nodes }: LogSnapshot, size: number, rootHash: string): Promise<boolean> {
  return beginsWith(nodes, { size, root: parseHex(rootHash) }, { size: head.tree_size, root });
}

function refused(detail: string, where = ''): OutsideFault {
  return { code: 'log_refused', detail, where };
}
