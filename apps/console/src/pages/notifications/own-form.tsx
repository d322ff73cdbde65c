import { Button, Group, Stack, Text, TextInput } from '@mantine/core';
import { type FormEvent, useState } from 'react';
import { useTranslation } from 'react-i18next';
import { NOTIFICATION_TYPES, type NotificationType, type OwnNotifications } from '@answer-evidence/contracts';
import { ActionError } from '../../components/action-error.tsx';
import { useAction } from '../../components/use-action.ts';
import { useSession } from '../../session/session-context.tsx';
import { firstTerms, MailTermsFields, toRequest } from './mail-terms-fields.tsx';
import { type ChosenTypes, TypeFields } from './type-fields.tsx';

type Props = {
  /** Left out: none yet. */
  readonly own: OwnNotifications | undefined;
  /** The types that the role of the reader may see. */
  readonly choosable: readonly NotificationType[];
  readonly onChange: () => Promise<unknown>;
};

/** Which types are mailed to the reader, when and in which language; for a new address, where to. */
export function OwnForm({ own, choosable, onChange }: Props) {
  const { t, i18n } = useTranslation();
  const { client } = useSession();
  const [address, setAddress] = useState(own?.address ?? '');
  const [terms, setTerms] = useState(own ?? firstTerms(i18n.language));
  const [chosen, setChosen] = useState<ChosenTypes>({
    isAll: (own?.event_types ?? null) === null,
    types: NOTIFICATION_TYPES.filter((type) => own?.event_types?.includes(type) && choosable.includes(type)),
  });
  const [isSaved, setSaved] = useState(false);
  const { isBusy, error, run } = useAction();
  const isReady = address.trim() !== '' && (chosen.isAll || chosen.types.length > 0);

  async function submit(event: FormEvent): Promise<void> {
    event.preventDefault();
    if (!isReady) return;
    setSaved(false);
    const isDone = await run(async () => {
      const { digest, hour, language } = terms;
      await client.notifications.setOwn({
        ...{ address: address.trim(), ...toRequest({ digest, hour, language }) },
        event_types: chosen.isAll ? null : [...chosen.types],
      });
      await onChange();
    });
    setSaved(isDone);
  }

  return (
    <form onSubmit={(event) => void submit(event)}>
      <Stack maw="48rem">
        {own === undefined && (
          <TextInput
            label={t('mailTerms.address')}
            description={t('mailTerms.codeFirst')}
            type="email"
            value={address}
            onChange={(event) => setAddress(event.currentTarget.value)}
            required
            spellCheck={false}
            autoComplete="email"
          />
        )}
        <MailTermsFields terms={terms} onChange={setTerms} />
        <TypeFields
          title={t('ownNotifications.types')}
          chosen={chosen}
          choosable={choosable}
          all={t('ownNotifications.all')}
          onChange={setChosen}
        />
        <ActionError error={error} />
        <Group>
          <Button type="submit" loading={isBusy} disabled={!isReady}>
            {t(own === undefined ? 'mailTerms.sendCode' : 'common.save')}
          </Button>
          <Text size="sm" role="status">
            {isSaved && own !== undefined && t('ownNotifications.saved')}
          </Text>
        </Group>
      </Stack>
    </form>
  );
}
