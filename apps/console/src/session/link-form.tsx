import { Alert, Button, PasswordInput, Stack, Text } from '@mantine/core';
import { type FormEvent, useState } from 'react';
import { useTranslation } from 'react-i18next';
import { PASSWORD_LENGTH_MIN } from '@answer-evidence/contracts';
import { type Session, signInByLink } from '../api/session.ts';
import { describeError } from '../components/error-state.tsx';

type Props = { readonly onSession: (session: Session) => void; readonly onBack: () => void };

/** A one-time link and the password to be. Neither is in an address, and both leave the form with its request. */
export function LinkForm({ onSession, onBack }: Props) {
  const { t } = useTranslation();
  const [link, setLink] = useState('');
  const [password, setPassword] = useState('');
  const [again, setAgain] = useState('');
  const [error, setError] = useState<unknown>(null);
  const [isSending, setSending] = useState(false);
  const isShort = password !== '' && Array.from(password).length < PASSWORD_LENGTH_MIN;
  const isOther = again !== '' && again !== password;

  async function submit(event: FormEvent): Promise<void> {
    event.preventDefault();
    if (isShort || again !== password) return;
    setSending(true);
    setError(null);
    try {
      onSession(await signInByLink(link, password));
    } catch (refused) {
      setError(refused);
    } finally {
      setSending(false);
    }
  }

  const shown = { visibilityToggleButtonProps: { 'aria-label': t('session.showPassword'), tabIndex: 0 } };
  return (
    <form onSubmit={(event) => void submit(event)}>
      <Stack>
        <Text size="sm">{t('session.linkText')}</Text>
        {error !== null && (
          <Alert color="red" role="alert" title={t('session.refused')}>
            {describeError(error, t)}
          </Alert>
        )}
        <PasswordInput
          label={t('session.link')}
          description={t('session.linkHint')}
          value={link}
          onChange={(event) => setLink(event.currentTarget.value)}
          autoComplete="off"
          spellCheck={false}
          visibilityToggleButtonProps={{ 'aria-label': t('session.showLink'), tabIndex: 0 }}
          required
        />
        <PasswordInput
          label={t('session.newPassword')}
          description={t('session.newPasswordHint', { count: PASSWORD_LENGTH_MIN })}
          value={password}
          error={isShort ? t('session.tooShort', { count: PASSWORD_LENGTH_MIN }) : undefined}
          onChange={(event) => setPassword(event.currentTarget.value)}
          autoComplete="new-password"
          required
          {...shown}
        />
        <PasswordInput
          label={t('session.again')}
          value={again}
          error={isOther ? t('session.notTheSame') : undefined}
          onChange={(event) => setAgain(event.currentTarget.value)}
          autoComplete="new-password"
          required
          {...shown}
        />
        <Button type="submit" loading={isSending}>
          {t('session.setPassword')}
        </Button>
        <Button variant="subtle" onClick={onBack}>
          {t('session.withPassword')}
        </Button>
      </Stack>
    </form>
  );
}
