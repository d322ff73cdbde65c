import { useTranslation } from 'react-i18next';
import type { EvidenceState } from '@answer-evidence/contracts';
import { Chip } from '../../components/chip.tsx';

const COLORS: Readonly<Record<EvidenceState, React.ComponentProps<typeof Chip>['color']>> = {
  available: 'green',
  redacted: 'red',
  expired: 'gray',
};

/** What became of an asset, in words and in color. */
export function AssetState({ state }: { readonly state: EvidenceState }) {
  const { t } = useTranslation();
  return <Chip color={COLORS[state]}>{t(`assetStates.${state}`)}</Chip>;
}
