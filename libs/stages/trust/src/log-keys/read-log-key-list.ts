import type { LogKeyList } from '@answer-evidence/contracts';
import type { LogStore, Workspace } from '@answer-evidence/ports';
import { listLogKeys, toLogKeyRangeResources } from './to-log-key-resources.ts';

/** The keys of a log as of now, and those of the names that it had before. */
export async function readLogKeyList(
  deps: { readonly logs: Pick<LogStore, 'signer'> },
  { id, origin }: Workspace,
): Promise<LogKeyList> {
  const signer = await deps.logs.signer(id);
  const earlier = signer.earlier.map((name) => ({ origin: name.origin, keys: toLogKeyRangeResources(name.keys) }));
  return { origin, items: listLogKeys(signer), earlier };
}
