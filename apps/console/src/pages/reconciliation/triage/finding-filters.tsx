import { Group, NativeSelect, Progress, Text } from '@mantine/core';
import { useTranslation } from 'react-i18next';
import { FINDING_TYPES, TRIAGE_STATES, type TriageCounts } from '@answer-evidence/contracts';
import { nameControls } from '../../../components/split-controls.ts';
import { useSession } from '../../../session/session-context.tsx';
import { useWorkspaceQuery } from '../../../session/workspace-query.ts';
import classes from '../reconciliation.module.css';

/** What narrows and orders the findings, as the address names it. */
export const FILTERS = ['type', 'state', 'assignee', 'due', 'sort'] as const;

type Props = {
  readonly values: Readonly<Partial<Record<(typeof FILTERS)[number], string>>>;
  readonly counts: TriageCounts | undefined;
  readonly onChoose: (name: (typeof FILTERS)[number], value: string) => void;
};

/** Which findings are shown, and how far the work on all of them has come. */
export function FindingFilters({ values, counts, onChoose }: Props) {
  const { t } = useTranslation();
  const { session, may } = useSession();
  const { data: people = [] } = useWorkspaceQuery(['assignees'], (client) => client.reconciliations.assignees(), {
    enabled: may('triage'),
  });
  const others = people.filter(({ id }) => id !== session.member.id);
  const choice = (name: (typeof FILTERS)[number], known: readonly string[]) => ({
    value: known.find((one) => one === values[name]) ?? '',
    onChange: (event: { readonly currentTarget: { readonly value: string } }) =>
      onChoose(name, event.currentTarget.value),
  });
  return (
    <Group align="end" mb="sm">
      <NativeSelect
        label={t('findings.show')}
        {...choice('type', FINDING_TYPES)}
        data={[
          { value: '', label: t('findings.any') },
          ...FINDING_TYPES.map((value) => ({ value, label: t(`findings.${value}`) })),
        ]}
      />
      <NativeSelect
        label={t('triage.state')}
        {...choice('state', TRIAGE_STATES)}
        data={[
          { value: '', label: t('triage.anyState') },
          ...TRIAGE_STATES.map((value) => ({ value, label: t(`triage.${value}`) })),
        ]}
      />
      <NativeSelect
        label={t('triage.assignee')}
        {...choice('assignee', ['me', 'none', ...others.map(({ id }) => id)])}
        data={[
          { value: '', label: t('triage.anybody') },
          { value: 'me', label: t('triage.me') },
          { value: 'none', label: t('triage.nobody') },
          ...others.map(({ id, username }) => ({ value: id, label: nameControls(username) })),
        ]}
      />
      <NativeSelect
        label={t('triage.due')}
        {...choice('due', ['overdue', 'week'])}
        data={[
          { value: '', label: t('triage.dueAny') },
          { value: 'overdue', label: t('triage.overdue') },
          { value: 'week', label: t('triage.dueWeek') },
        ]}
      />
      <NativeSelect
        label={t('triage.order')}
        {...choice('sort', ['due'])}
        data={[
          { value: '', label: t('triage.byPosition') },
          { value: 'due', label: t('triage.byDue') },
        ]}
      />
      {counts !== undefined && counts.open + counts.resolved > 0 && (
        <div className={classes['progress']} role="status">
          {t('runs.resolvedOf', { resolved: counts.resolved, all: counts.open + counts.resolved })}
          <Progress value={(100 * counts.resolved) / (counts.open + counts.resolved)} aria-hidden />
          <Text size="xs" c="dimmed">
            {t('triage.counts', counts)}
            {(counts.overdue ?? 0) > 0 && ` · ${t('triage.overdueOf', { count: counts.overdue })}`}
          </Text>
        </div>
      )}
    </Group>
  );
}
