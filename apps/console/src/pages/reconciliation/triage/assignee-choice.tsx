import { NativeSelect } from '@mantine/core';
import { useQuery } from '@tanstack/react-query';
import { useTranslation } from 'react-i18next';
import { PAGE_SIZE_MAX } from '@answer-evidence/contracts';
import { nameControls } from '../../../components/split-controls.ts';
import { useSession } from '../../../session/session-context.tsx';

type Props = {
  readonly label: string;
  /** The id of a member; empty for nobody. */
  readonly value: string;
  readonly onChange: (id: string) => void;
};

/** Who may have a finding: managers see the members. */
export function AssigneeChoice({ label, value, onChange }: Props) {
  const { t } = useTranslation();
  const { client, session } = useSession();
  const { data } = useQuery({
    queryKey: ['members', session.workspace.id, 'assignees'],
    queryFn: () => client.members.list({ size: PAGE_SIZE_MAX }),
  });
  const members = (data?.items ?? []).filter(
    ({ id, disabled, removed_at: removed }) => id === value || (!disabled && removed === null),
  );
  return (
    <NativeSelect
      label={label}
      value={value}
      onChange={(event) => onChange(event.currentTarget.value)}
      data={[
        { value: '', label: t('triage.nobody') },
        ...members.map(({ id, username }) => ({ value: id, label: nameControls(username) })),
      ]}
    />
  );
}
