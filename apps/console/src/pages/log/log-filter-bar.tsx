import { useTranslation } from 'react-i18next';
import { WORKSPACE_ENTRY_TYPES } from '@answer-evidence/contracts';
import { FilterBar } from '../../components/filter-bar.tsx';
import { useWorkspaceQuery } from '../../session/workspace-query.ts';
import type { SearchTexts } from '../../shell/search.ts';

type Props = { readonly search: SearchTexts; readonly onChange: (next: Record<string, string>) => void };

const MEMBERS_MAX = 200;

/** What narrows the log: what was done, by whom, and when. Members are chosen by name, others by their id. */
export function LogFilterBar({ search, onChange }: Props) {
  const { t } = useTranslation();
  const members = useWorkspaceQuery(['members', 'names'], (client) => client.members.list({ size: MEMBERS_MAX }));
  const actor = search['actor_id'];
  const known = members.data?.items.map(({ id, username }) => ({ value: id, label: username })) ?? [];
  const others =
    actor === undefined || known.some(({ value }) => value === actor) ? [] : [{ value: actor, label: actor }];
  return (
    <FilterBar
      search={search}
      fields={[
        {
          name: 'type',
          label: t('log.what'),
          options: WORKSPACE_ENTRY_TYPES.map((value) => ({ value, label: t(`entryTypes.${value}`, value) })),
        },
        { name: 'actor_id', label: t('log.who'), options: [...known, ...others] },
        { name: 'answer_log_id', label: t('log.record') },
      ]}
      hasDays
      onChange={onChange}
    />
  );
}
