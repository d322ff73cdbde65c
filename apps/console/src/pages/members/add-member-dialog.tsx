import { Button, Group, Radio, Stack, TextInput } from '@mantine/core';
import { useQueryClient } from '@tanstack/react-query';
import { type FormEvent, useState } from 'react';
import { useTranslation } from 'react-i18next';
import type { MemberWithLink, Role } from '@answer-evidence/contracts';
import { ActionError } from '../../components/action-error.tsx';
import { AppModal } from '../../components/app-modal.tsx';
import { useAction } from '../../components/use-action.ts';
import { useSession } from '../../session/session-context.tsx';
import { PasswordLink } from './password-link.tsx';

/** Adds a person, and shows the link by which they set their password. */
export function AddMemberDialog({ onClose }: { readonly onClose: () => void }) {
  const { t } = useTranslation();
  const { client } = useSession();
  const queries = useQueryClient();
  const [username, setUsername] = useState('');
  const [role, setRole] = useState<Role>('member');
  const [added, setAdded] = useState<MemberWithLink | null>(null);
  const { isBusy, error, run } = useAction();

  async function submit(event: FormEvent): Promise<void> {
    event.preventDefault();
    await run(async () => {
      setAdded(await client.members.add({ username: username.trim(), role }));
      await queries.invalidateQueries({ queryKey: ['members'] });
    });
  }

  return (
    <AppModal opened title={t('members.add')} onClose={onClose} size="lg" isFixed={added !== null}>
      {added !== null ? (
        <PasswordLink member={added} onDone={onClose} />
      ) : (
        <form onSubmit={(event) => void submit(event)}>
          <Stack>
            <TextInput
              label={t('members.name')}
              description={t('members.nameHint')}
              value={username}
              onChange={(event) => setUsername(event.currentTarget.value)}
              required
              spellCheck={false}
              data-autofocus
            />
            <RoleChoice role={role} onChange={setRole} />
            <ActionError error={error} />
            <Group justify="flex-end">
              <Button variant="default" onClick={onClose}>
                {t('common.cancel')}
              </Button>
              <Button type="submit" loading={isBusy} disabled={username.trim() === ''}>
                {t('members.add')}
              </Button>
            </Group>
          </Stack>
        </form>
      )}
    </AppModal>
  );
}

type ChoiceProps = { readonly role: Role; readonly onChange: (role: Role) => void };

/** A role, with what it permits. */
export function RoleChoice({ role, onChange }: ChoiceProps) {
  const { t } = useTranslation();
  return (
    <Radio.Group
      label={t('members.role')}
      value={role}
      onChange={(value) => onChange(value === 'manager' ? 'manager' : 'member')}
    >
      <Stack gap="xs" mt="xs">
        <Radio value="member" label={t('roles.member')} description={t('members.memberText')} />
        <Radio value="manager" label={t('roles.manager')} description={t('members.managerText')} />
      </Stack>
    </Radio.Group>
  );
}
