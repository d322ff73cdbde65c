import { Badge } from '@mantine/core';
import { useTranslation } from 'react-i18next';
import type { EvidenceState } from '@answer-evidence/contracts';

const COLORS: Readonly<Record<EvidenceState, string>> = { available: 'green', redacted: 'red', expired: 'gray' };

/** What became of an asset, in words and in color. */
export function AssetState({ state }: { readonly state: EvidenceState }) {
  const { t } = useTranslation();
  return (
    <Badge variant="light" color={COLORS[state]} radius="sm" tt="none" className="chip">
      {t(`assetStates.${state}`)}
    </Badge>
  );
}
