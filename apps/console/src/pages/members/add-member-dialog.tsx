import { Button, Group, Stack, TextInput } from '@mantine/core';
import { useQueryClient } from '@tanstack/react-query';
import { type FormEvent, useState } from 'react';
import { useTranslation } from 'react-i18next';
import type { MemberWithLink } from '@answer-evidence/contracts';
import { ActionError } from '../../components/action-error.tsx';
import { AppModal } from '../../components/app-modal.tsx';
import { useAction } from '../../components/use-action.ts';
import { useSession } from '../../session/session-context.tsx';
import { AccessChoice, PLAIN_MEMBER } from './access-choice.tsx';
import { PasswordLink } from './password-link.tsx';

/** Adds a person, and shows the link by which they set their password. */
export function AddMemberDialog({ onClose }: { readonly onClose: () => void }) {
  const { t } = useTranslation();
  const { client } = useSession();
  const queries = useQueryClient();
  const [username, setUsername] = useState('');
  const [access, setAccess] = useState(PLAIN_MEMBER);
  const [added, setAdded] = useState<MemberWithLink | null>(null);
  const { isBusy, error, run } = useAction();

  async function submit(event: FormEvent): Promise<void> {
    event.preventDefault();
    await run(async () => {
      setAdded(await client.members.add({ username: username.trim(), access }));
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
            <AccessChoice access={access} onChange={setAccess} />
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
