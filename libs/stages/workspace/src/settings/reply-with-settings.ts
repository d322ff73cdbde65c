import type { TenantSettings } from '@answer-evidence/contracts';
import { formatTimestamp } from '@answer-evidence/encoding';
import type { VersionedSettings } from '@answer-evidence/ledger';
import type { RouteReply } from '@answer-evidence/routes';
import { formatSettingsTag } from './entity-tag.ts';

/** The reply that shows the settings, with their ETag. */
export function replyWithSettings(settings: VersionedSettings): RouteReply {
  const body: TenantSettings = {
    ...settings.values,
    version: settings.version,
    updated_at: formatTimestamp(settings.updatedAt),
  };
  return { status: 200, headers: { ETag: formatSettingsTag(settings.version) }, body };
}
