import { Alert, Checkbox, Text } from '@mantine/core';
import { useState } from 'react';
import { useTranslation } from 'react-i18next';
import type { Member, MemberAccess, MemberWithLink } from '@answer-evidence/contracts';
import { isConflict } from '../../components/conflict.ts';
import { FormDialog } from '../../components/form-dialog.tsx';
import { useSecondPerson } from '../../components/use-second-person.tsx';
import { useSession } from '../../session/session-context.tsx';
import { useReload } from '../../session/workspace-query.ts';
import { AccessChoice, accessOf } from './access-choice.tsx';
import { AccessText } from './access-text.tsx';
import { PasswordLink } from './password-link.tsx';
import { LINK_UNCHANGED, ProviderLinkChoice, toProviderChange } from './provider-link.tsx';
import { toAskedChange } from './to-asked-change.ts';

function isSame(one: MemberAccess, other: MemberAccess): boolean {
  const namesOf = ({ applications, environments }: MemberAccess) =>
    JSON.stringify([applications?.toSorted(), environments?.toSorted()]);
  return one.role === other.role && namesOf(one) === namesOf(other);
}

type Props = {
  readonly member: Member;
  /** The member as the service has them now. */
  readonly readNow: () => Promise<Member | undefined>;
  readonly onClose: () => void;
};

/**
 * Changes the role of a member, whether they may sign in, and their password. If another manager was first, it shows
 * what they did, keeps what was chosen here, and sends it only when it is confirmed once more.
 */
export function ChangeMemberDialog({ member, readNow, onClose }: Props) {
  const { t } = useTranslation();
  const { client } = useSession();
  const reload = useReload();
  const [known, setKnown] = useState(member);
  const [access, setAccess] = useState(accessOf(member));
  const [isDisabled, setDisabled] = useState(member.disabled);
  const [isReset, setReset] = useState(false);
  const [link, setLink] = useState(LINK_UNCHANGED);
  const [meanwhile, setMeanwhile] = useState<Member | null>(null);
  const [changed, setChanged] = useState<MemberWithLink | null>(null);
  const { orAsk, asking } = useSecondPerson();
  const change = {
    ...(isSame(access, accessOf(known)) ? {} : { access }),
    ...(isDisabled === known.disabled ? {} : { disabled: isDisabled }),
    ...(isReset ? ({ password_reset: true } as const) : {}),
    ...toProviderChange(link),
  };

  async function submit(): Promise<void> {
    try {
      const done = await orAsk(
        () => ({ member: { member_id: known.id, ...toAskedChange(change), version: known.version } }),
        () => client.members.change(known.id, { ...change, version: known.version }),
      );
      if (done !== undefined && done.password_link !== null) setChanged(done);
    } catch (refused) {
      const now = isConflict(refused) ? await readNow() : undefined;
      if (now !== undefined) {
        setKnown(now);
        setMeanwhile(now);
      }
      throw refused;
    }
    await reload('members');
    if (!isReset) onClose();
  }

  return (
    <>
      <FormDialog
        title={t('members.changeOf', { name: member.username })}
        size="lg"
        action={t('common.save')}
        isReady={Object.keys(change).length > 0}
        outcome={changed === null ? undefined : <PasswordLink member={changed} onDone={onClose} />}
        isFixed={false}
        failure={meanwhile === null ? undefined : <ChangedMeanwhile member={meanwhile} />}
        onSubmit={submit}
        onClose={onClose}
      >
        <AccessChoice access={access} onChange={setAccess} />
        <Checkbox
          checked={isDisabled}
          onChange={(event) => setDisabled(event.currentTarget.checked)}
          label={t('members.disabled')}
          description={t('members.disabledText')}
        />
        <Checkbox
          checked={isReset}
          onChange={(event) => setReset(event.currentTarget.checked)}
          label={t('members.reset')}
          description={t('members.resetText')}
        />
        <ProviderLinkChoice linked={known.provider ?? null} value={link} onChange={setLink} />
      </FormDialog>
      {asking}
    </>
  );
}

/** What another manager made of the member. */
function ChangedMeanwhile({ member }: { readonly member: Member }) {
  const { t } = useTranslation();
  return (
    <Alert color="yellow" role="alert" title={t('conflict.title')}>
      <Text>{t('conflict.text')}</Text>
      <Text mt="xs">
        {t('conflict.now')} {t(member.disabled ? 'members.isDisabled' : 'members.isEnabled')}
      </Text>
      <AccessText access={accessOf(member)} />
    </Alert>
  );
}
