import { Radio, Stack, Textarea } from '@mantine/core';
import { useState } from 'react';
import { useTranslation } from 'react-i18next';
import { LIMITS_MAX, type Member, MEMBER_ROLES, type MemberAccess, type MemberRole } from '@answer-evidence/contracts';
import { PlainText } from '../../components/plain-text.tsx';
import { useKnownNames } from '../../components/use-known-names.ts';

/** So many of those that have records are named. */
const KNOWN_MAX = 12;

/** What people are in the workspace if nothing else is said. */
export const PLAIN_MEMBER: MemberAccess = { role: 'member', applications: null, environments: null };

/** What a member may do and where; services of an earlier release know the role alone. */
export function accessOf({ access, role }: Pick<Member, 'access' | 'role'>): MemberAccess {
  return access ?? { ...PLAIN_MEMBER, role };
}

/** Managers are limited to nothing, and a token of an application is for all environments. */
const LIMITS: Readonly<Partial<Record<MemberRole, readonly ('applications' | 'environments')[]>>> = {
  manager: [],
  application_operator: ['applications'],
};

type Props = { readonly access: MemberAccess; readonly onChange: (access: MemberAccess) => void };

/** A role with what it permits, and where it does. */
export function AccessChoice({ access, onChange }: Props) {
  const { t } = useTranslation();
  const known = useKnownNames();
  const limitsOf = (role: MemberRole) => LIMITS[role] ?? ['applications', 'environments'];

  function choose(role: MemberRole): void {
    const [limits, kept] = [limitsOf(role), { ...access, role }];
    onChange({
      ...kept,
      applications: limits.includes('applications') ? kept.applications : null,
      environments: limits.includes('environments') ? kept.environments : null,
    });
  }

  return (
    <>
      <Radio.Group
        label={t('members.role')}
        value={access.role}
        onChange={(value) => choose(MEMBER_ROLES.find((role) => role === value) ?? 'member')}
      >
        <Stack gap="xs" mt="xs">
          {MEMBER_ROLES.map((role) => (
            <Radio key={role} value={role} label={t(`roles.${role}`)} description={t(`roleTexts.${role}`)} />
          ))}
        </Stack>
      </Radio.Group>
      {limitsOf(access.role).map((limit) => (
        <Names
          key={limit}
          label={t(`members.limits.${limit}`)}
          names={access[limit]}
          known={known[limit]}
          onChange={(names) => onChange({ ...access, [limit]: names })}
        />
      ))}
    </>
  );
}

type NamesProps = {
  readonly label: string;
  readonly names: MemberAccess['applications'];
  readonly known: readonly string[];
  readonly onChange: (names: MemberAccess['applications']) => void;
};

/** Names, one a line; none is all. */
function Names({ label, names, known, onChange }: NamesProps) {
  const { t } = useTranslation();
  const [typed, setTyped] = useState((names ?? []).join('\n'));

  function read(text: string): void {
    setTyped(text);
    const lines = text.split('\n').flatMap((line) => line.trim() || []);
    onChange(lines.length === 0 ? null : [...new Set(lines)].slice(0, LIMITS_MAX));
  }

  return (
    <Textarea
      label={label}
      description={
        <>
          {t('members.limits.text')} <PlainText text={known.slice(0, KNOWN_MAX).join(', ')} />
        </>
      }
      value={typed}
      onChange={(event) => read(event.currentTarget.value)}
      rows={2}
      spellCheck={false}
    />
  );
}
