import { NativeSelect } from '@mantine/core';
import { useTranslation } from 'react-i18next';
import type { TriagePerson } from '@answer-evidence/contracts';
import { nameControls } from '../../../components/split-controls.ts';
import { useWorkspaceQuery } from '../../../session/workspace-query.ts';

type Props = {
  readonly label: string;
  readonly runId: string;
  /** Who has it; null for nobody. */
  readonly value: TriagePerson | null;
  /** The id of a member; empty for nobody. */
  readonly onChange: (id: string) => void;
};

/** Who may have a finding: who works on those of its application. Who has it and may no longer is shown as well. */
export function AssigneeChoice({ label, runId, value, onChange }: Props) {
  const { t } = useTranslation();
  const { data: able = [] } = useWorkspaceQuery(['assignees', runId], (client) =>
    client.reconciliations.assignees(runId),
  );
  const people = value === null || able.some(({ id }) => id === value.id) ? able : [value, ...able];
  return (
    <NativeSelect
      label={label}
      value={value?.id ?? ''}
      onChange={(event) => onChange(event.currentTarget.value)}
      data={[
        { value: '', label: t('triage.nobody') },
        ...people.map(({ id, username }) => ({ value: id, label: nameControls(username) })),
      ]}
    />
  );
}
