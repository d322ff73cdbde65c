import { ANCHOR_TYPES, type AnchorConfig } from '@answer-evidence/contracts';
import type { AnchorTarget, Workspace } from '@answer-evidence/ports';
import type { TrustDeps } from '../deps.ts';
import { anchorSecretField } from '../policy/prepare-policy-change.ts';

/** An anchor of the policy with the secret that is kept for its id, if its type has one. */
export async function withSecret(
  { trust }: Pick<TrustDeps, 'trust'>,
  { id, vault }: Workspace,
  config: AnchorConfig,
): Promise<AnchorTarget> {
  const name = ANCHOR_TYPES[config.type].secret;
  if (name === null) return config;
  const stored = (await trust.anchorSecrets(id)).find((row) => row.anchor_id === config.id);
  if (stored === undefined) return config;
  const key = vault.openObjectKey(stored.object_id, stored.wrapped_key);
  return { ...config, [name]: key.open(anchorSecretField(config.id), stored.secret) };
}
