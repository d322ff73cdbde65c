import { hashNamedId } from '@answer-evidence/commitments';
import type { SettingsValues } from '@answer-evidence/contracts';
import { hashNamedIds, type NamedIds, type ReducedItem } from '@answer-evidence/otlp-mapping';
import type { Workspace } from '@answer-evidence/ports';
import type { HashKeys } from '@answer-evidence/preparation';

/**
 * Items with hashes of the people and sessions that they name, under the active hash key, if the settings ask for them.
 * This comes before anything about an item is decided or stored; afterwards nobody has the ids.
 */
export async function hashIds(
  hashKeys: HashKeys,
  workspace: Workspace,
  values: SettingsValues,
  items: readonly ReducedItem[],
  ids: NamedIds,
): Promise<readonly ReducedItem[]> {
  const keyId = values.answer_audit_hash_key_id;
  if (!values.answer_audit_otlp_hash_user_ids || keyId === null || ids.size === 0) return items;
  const key = await hashKeys(workspace, keyId);
  return hashNamedIds(items, ids, (kind, id) => hashNamedId(key, kind, id));
}
