import { useNavigate } from '@tanstack/react-router';
import { useTranslation } from 'react-i18next';
import { evidenceKind, evidenceState } from '@answer-evidence/contracts';
import { FilterBar } from '../../components/filter-bar.tsx';
import type { SearchTexts } from '../../shell/search.ts';
import { ASSET_KEYS } from './asset-filters.ts';

type Props = { readonly search: SearchTexts; readonly onChange: (next: Record<string, string>) => void };

/** What narrows the list of assets. The id of one leads to its page. */
export function AssetFilterBar({ search, onChange }: Props) {
  const { t } = useTranslation();
  const navigate = useNavigate();
  function follow(key: string, assetId: string): boolean {
    if (key !== 'asset_id') return false;
    void navigate({ to: '/evidence/$assetId', params: { assetId } });
    return true;
  }
  return (
    <FilterBar
      search={search}
      keys={ASSET_KEYS.map((name) => ({ value: name, label: t(`assetKeys.${name}`) }))}
      hint={t('evidence.searchHint')}
      fields={[
        {
          name: 'kind',
          label: t('evidence.kind'),
          options: evidenceKind.options.map((value) => ({ value, label: t(`assetKinds.${value}`) })),
        },
        {
          name: 'state',
          label: t('records.status'),
          options: evidenceState.options.map((value) => ({ value, label: t(`assetStates.${value}`) })),
        },
        { name: 'application_key', label: t('records.application') },
        { name: 'content_type', label: t('evidence.contentType') },
      ]}
      hasDays
      onFollow={follow}
      onChange={onChange}
    />
  );
}
