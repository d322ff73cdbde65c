import { formatHex } from '@answer-evidence/encoding';
import { readRoot } from '@answer-evidence/ledger';
import { parseVkey } from '@answer-evidence/note';
import type {
  HeadErrorCode,
  HeadStore,
  KeptClaim,
  KeptHead,
  LogSnapshot,
  LogStore,
  Workspace,
} from '@answer-evidence/ports';
import { describeClaim } from './kept-claims.ts';

/** One thing that speaks against a log from outside of its database. */
export type OutsideFault = {
  readonly code: HeadErrorCode;
  /** What it is, for everyone who may read the log. */
  readonly detail: string;
  /** Where it can be looked at, for those who run the service; continues the sentence. */
  readonly where: string;
};

/** What a log is held against its kept head with. */
export type OutsideDeps = { readonly logs: LogStore; readonly headStore: Pick<HeadStore, 'find' | 'place'> };

/** Everything that speaks against a log: keys that are not its own, then what is kept outside of its database. */
export async function findOutsideFaults(
  { logs, headStore }: OutsideDeps,
  workspace: Workspace,
): Promise<readonly OutsideFault[]> {
  const first = { vkey: workspace.vkey, publicKey: workspace.vault.ledgerPublicKey };
  const foreign = [first, ...(await logs.signer(workspace.id)).keys].some(
    ({ vkey, publicKey }) => formatHex(parseVkey(vkey).publicKey) !== formatHex(publicKey),
  );
  const kept = await headStore.find(workspace.id);
  return [
    ...(foreign ? [refused(`the signing key of "${workspace.slug}" is not the key of its ledger`)] : []),
    ...(await findHeadFaults(workspace, kept, await logs.snapshot(workspace.id), headStore.place)),
  ];
}

/** What the kept head has against a log. The snapshot must be the later one of the two. */
export async function findHeadFaults(
  { slug, origin }: Workspace,
  kept: KeptHead | undefined,
  snapshot: LogSnapshot,
  place: string,
): Promise<readonly OutsideFault[]> {
  const { head, nodes } = snapshot;
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
  if (head.tree_size < kept.treeSize) {
    const words = `${log} holds ${head.tree_size} entries, but ${kept.treeSize} were signed`;
    faults.push(refused(`${words}: the database is older than its log`));
  } else if (formatHex(await readRoot(nodes, kept.treeSize)) !== kept.rootHash)
    faults.push(refused(`${log} differs from the one signed at size ${kept.treeSize}`, ` (kept as ${kept.place})`));
  for (const claim of kept.claims) {
    if (await isMet(claim, snapshot)) continue;
    const seen = claim.seenAt === undefined ? '' : `seen at ${claim.seenAt}, `;
    const where = ` (${seen}kept as ${claim.place})`;
    faults.push({ code: 'log_disputed', detail: `${log} was rolled back: ${describeClaim(claim)}`, where });
  }
  return faults;
}

/**
 * Whether the log holds the very tree that the party has seen, as it does once the right database is back. A party that
 * shows no root is not met by a log that has grown: that may be another history of the same size.
 */
async function isMet({ treeSize, rootHash }: KeptClaim, { head, nodes }: LogSnapshot): Promise<boolean> {
  if (rootHash === undefined || treeSize > head.tree_size) return false;
  return formatHex(await readRoot(nodes, treeSize)) === rootHash;
}

function refused(detail: string, where = ''): OutsideFault {
  return { code: 'log_refused', detail, where };
}
