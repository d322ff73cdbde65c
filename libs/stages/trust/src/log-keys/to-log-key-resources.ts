import type { LogKey, LogKeyItem } from '@answer-evidence/contracts';
import { type LogKeyRange, stateOfKey } from '@answer-evidence/ledger';
import type { TreeSigner } from '@answer-evidence/ports';

/** The keys of a log with the tree sizes that each signs, as trust files have them; oldest first. */
export function toLogKeyResources({ keys }: TreeSigner): LogKey[] {
  return toLogKeyRangeResources(keys);
}

/** The Ed25519 keys of a log, as bundles have them, whose readers of earlier releases know no others. */
export function toBundleKeys({ keys }: TreeSigner): LogKey[] {
  return toLogKeyRangeResources(keys.filter(({ algorithm }) => algorithm === 'ed25519'));
}

/** The same of keys that may sign no more, such as those of an earlier name of the log. */
export function toLogKeyRangeResources(keys: readonly LogKeyRange[]): LogKey[] {
  return keys.map(({ vkey, firstTreeSize, lastTreeSize }) => ({
    vkey,
    first_tree_size: firstTreeSize,
    last_tree_size: lastTreeSize,
  }));
}

/** The same with what each key is now, as the API lists them. */
export function listLogKeys({ keys }: TreeSigner): LogKeyItem[] {
  return keys.map((key) => ({
    vkey: key.vkey,
    first_tree_size: key.firstTreeSize,
    last_tree_size: key.lastTreeSize,
    algorithm: key.algorithm,
    purpose: 'checkpoint',
    state: stateOfKey(
      keys.filter(({ algorithm }) => algorithm === key.algorithm),
      key,
    ),
  }));
}
