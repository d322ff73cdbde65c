import { TextInput } from '@mantine/core';
import { useState } from 'react';
import { useTranslation } from 'react-i18next';
import type { MemberWithLink } from '@answer-evidence/contracts';
import { FormDialog } from '../../components/form-dialog.tsx';
import { useSession } from '../../session/session-context.tsx';
import { useReload } from '../../session/workspace-query.ts';
import { AccessChoice, PLAIN_MEMBER } from './access-choice.tsx';
import { PasswordLink } from './password-link.tsx';

/** Adds a person, and shows the link by which they set their password. */
export function AddMemberDialog({ onClose }: { readonly onClose: () => void }) {
  const { t } = useTranslation();
  const { client } = useSession();
  const reload = useReload();
  const [username, setUsername] = useState('');
  const [access, setAccess] = useState(PLAIN_MEMBER);
  const [added, setAdded] = useState<MemberWithLink | null>(null);

  async function submit(): Promise<void> {
    setAdded(await client.members.add({ username: username.trim(), access }));
    await reload('members');
  }

  return (
    <FormDialog
      title={t('members.add')}
      size="lg"
      action={t('members.add')}
      isReady={username.trim() !== ''}
      outcome={added === null ? undefined : <PasswordLink member={added} onDone={onClose} />}
      onSubmit={submit}
      onClose={onClose}
    >
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
    </FormDialog>
  );
}
