import { Text } from '@mantine/core';
import { useTranslation } from 'react-i18next';
import type { MemberWithLink } from '@answer-evidence/contracts';
import { SecretOnce } from '../../components/secret-once.tsx';
import { Time } from '../../components/time.tsx';

type Props = { readonly member: MemberWithLink; readonly onDone: () => void };

/** The way for a member to set a password, once. Nobody else should see it. */
export function PasswordLink({ member, onDone }: Props) {
  const { t } = useTranslation();
  if (member.password_link === null) return null;
  return (
    <>
      <Text mb="sm">
        {t('members.linkText')} <Time at={member.password_link.expires_at} />.
      </Text>
      <SecretOnce
        label={t('members.linkOf', { name: member.username })}
        secret={member.password_link.url}
        onDone={onDone}
      />
    </>
  );
}
