import type { AnchorConfig } from '@answer-evidence/contracts';
import type { AnchorTarget, Workspace } from '@answer-evidence/ports';
import type { TrustDeps } from '../deps.ts';
import { anchorSecretField } from '../policy/prepare-policy-change.ts';

/** An anchor of the policy with the secret that is kept for its id, if its type has one. */
export async function withSecret(
  { trust }: Pick<TrustDeps, 'trust'>,
  { id, vault }: Workspace,
  config: AnchorConfig,
): Promise<AnchorTarget> {
  if (config.type !== 'object-lock') return config;
  const stored = (await trust.anchorSecrets(id)).find((row) => row.anchor_id === config.id);
  if (stored === undefined) return config;
  const key = vault.openObjectKey(stored.object_id, stored.wrapped_key);
  return { ...config, secret_access_key: key.open(anchorSecretField(config.id), stored.secret) };
}
