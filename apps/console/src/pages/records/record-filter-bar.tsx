import { useNavigate } from '@tanstack/react-router';
import { useTranslation } from 'react-i18next';
import { RECORD_STATUSES } from '@answer-evidence/contracts';
import { FilterBar } from '../../components/filter-bar.tsx';
import { useKnownNames } from '../../components/use-known-names.ts';
import { useWorkspaceQuery } from '../../session/workspace-query.ts';
import type { SearchTexts } from '../../shell/search.ts';
import { findRecordId, REVIEW_KEYS } from './filters.ts';

type Props = { readonly search: SearchTexts; readonly onChange: (next: Record<string, string>) => void };

/** What narrows the list of records. The id of one leads to its page. */
export function RecordFilterBar({ search, onChange }: Props) {
  const { t } = useTranslation();
  const navigate = useNavigate();
  const values = useKnownNames();
  const { data: imported } = useWorkspaceQuery(['answered'], (client) => client.search.answered(), {
    staleTime: 60_000,
  });
  const hasClaims = (imported?.counts.length ?? 0) > 0;
  function follow(key: string, text: string): boolean {
    const recordId = key === 'external_message_id' ? findRecordId(text) : undefined;
    if (recordId !== undefined) void navigate({ to: '/records/$recordId', params: { recordId } });
    return recordId !== undefined;
  }
  return (
    <FilterBar
      search={search}
      keys={REVIEW_KEYS.map((name) => ({ value: name, label: t(`keys.${name}`) }))}
      hint={t('records.searchHint')}
      fields={[
        {
          name: 'status',
          label: t('records.status'),
          options: RECORD_STATUSES.map((status) => ({ value: status, label: t(`status.${status}`) })),
        },
        { name: 'application_key', label: t('records.application'), offered: values.applications },
        { name: 'environment', label: t('records.environment'), offered: values.environments },
        ...(hasClaims
          ? [
              { name: 'answered_after', label: t('records.answeredFrom'), isDay: true },
              { name: 'answered_before', label: t('records.answeredTo'), isDay: true },
            ]
          : []),
      ]}
      hasDays
      onFollow={follow}
      onChange={onChange}
    />
  );
}
