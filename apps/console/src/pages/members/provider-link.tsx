import { Checkbox, TextInput } from '@mantine/core';
import { useQuery } from '@tanstack/react-query';
import { useTranslation } from 'react-i18next';
import type { PatchMemberRequest, ProviderLink } from '@answer-evidence/contracts';
import { hasProvider } from '../../api/session.ts';

/** What is to become of the link of a member to a subject of the OpenID provider. */
type LinkChoice = { readonly subject: string; readonly isUnlinked: boolean };

/** Nothing is to become of it. */
export const LINK_UNCHANGED: LinkChoice = { subject: '', isUnlinked: false };

/** The choice as a part of the change of a member. */
export function toProviderChange({ subject, isUnlinked }: LinkChoice): Pick<PatchMemberRequest, 'provider'> {
  if (isUnlinked) return { provider: null };
  return subject.trim() === '' ? {} : { provider: { subject: subject.trim() } };
}

type Props = {
  readonly linked: ProviderLink | null;
  readonly value: LinkChoice;
  readonly onChange: (value: LinkChoice) => void;
};

/** Links a member to a subject of the provider, or unlinks them; nothing where there is neither a link nor a provider. */
export function ProviderLinkChoice({ linked, value, onChange }: Props) {
  const { t } = useTranslation();
  const provider = useQuery({ queryKey: ['sign-in-ways'], queryFn: hasProvider, staleTime: Infinity });
  if (linked !== null)
    return (
      <Checkbox
        checked={value.isUnlinked}
        onChange={(event) => onChange({ subject: '', isUnlinked: event.currentTarget.checked })}
        label={t('members.unlink')}
        description={t('members.unlinkText', { subject: linked.subject, issuer: linked.issuer })}
      />
    );
  if (provider.data !== true) return null;
  return (
    <TextInput
      label={t('members.subject')}
      description={t('members.subjectText')}
      value={value.subject}
      onChange={(event) => onChange({ subject: event.currentTarget.value, isUnlinked: false })}
      spellCheck={false}
    />
  );
}
