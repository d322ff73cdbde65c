import { Text } from '@mantine/core';
import { useTranslation } from 'react-i18next';
import type { Session } from '../api/session.ts';
import { AppModal } from '../components/app-modal.tsx';
import { SignInForm } from './sign-in-form.tsx';

type Props = { readonly session: Session; readonly onSession: (session: Session) => void };

/** Asks for the password again, above the page as it was left. */
export function ExpiredDialog({ session, onSession }: Props) {
  const { t } = useTranslation();
  return (
    <AppModal opened title={t('session.expired')} onClose={() => undefined} isFixed>
      <Text mb="md">{t('session.expiredText')}</Text>
      <SignInForm workspace={session.workspace.slug} name={session.member.name} onSession={onSession} />
    </AppModal>
  );
}
