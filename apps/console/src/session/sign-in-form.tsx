import { Alert, Button, PasswordInput, Stack, TextInput } from '@mantine/core';
import { type FormEvent, useState } from 'react';
import { useTranslation } from 'react-i18next';
import { type Session, signIn } from '../api/session.ts';
import { describeError } from '../components/error-state.tsx';
import { ProviderButton } from './provider-button.tsx';

type Props = {
  readonly workspace?: string;
  readonly name?: string;
  readonly onSession: (session: Session) => void;
};

/** Workspace, name and password. The password leaves the form with its request, and is kept nowhere. */
export function SignInForm({ workspace: firstWorkspace = '', name: firstName = '', onSession }: Props) {
  const { t } = useTranslation();
  const [workspace, setWorkspace] = useState(firstWorkspace);
  const [name, setName] = useState(firstName);
  const [password, setPassword] = useState('');
  const [error, setError] = useState<unknown>(null);
  const [isSending, setSending] = useState(false);

  async function submit(event: FormEvent): Promise<void> {
    event.preventDefault();
    setSending(true);
    setError(null);
    try {
      onSession(await signIn(workspace.trim(), name.trim(), password));
    } catch (refused) {
      setError(refused);
      setPassword('');
    } finally {
      setSending(false);
    }
  }

  return (
    <form onSubmit={(event) => void submit(event)}>
      <Stack>
        {error !== null && (
          <Alert color="red" role="alert" title={t('session.refused')}>
            {describeError(error, t)}
          </Alert>
        )}
        <TextInput
          label={t('session.workspace')}
          description={t('session.workspaceHint')}
          value={workspace}
          onChange={(event) => setWorkspace(event.currentTarget.value)}
          autoComplete="organization"
          autoCapitalize="none"
          spellCheck={false}
          required
        />
        <TextInput
          label={t('session.name')}
          value={name}
          onChange={(event) => setName(event.currentTarget.value)}
          autoComplete="username"
          autoCapitalize="none"
          spellCheck={false}
          required
        />
        <PasswordInput
          label={t('session.password')}
          value={password}
          onChange={(event) => setPassword(event.currentTarget.value)}
          autoComplete="current-password"
          data-autofocus={firstName !== '' || undefined}
          visibilityToggleButtonProps={{ 'aria-label': t('session.showPassword'), tabIndex: 0 }}
          required
        />
        <Button type="submit" loading={isSending}>
          {t('session.signIn')}
        </Button>
        <ProviderButton inNewTab={firstName !== ''} onSession={onSession} />
      </Stack>
    </form>
  );
}
