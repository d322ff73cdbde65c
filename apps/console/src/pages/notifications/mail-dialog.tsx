import { Alert, TextInput } from '@mantine/core';
import { useState } from 'react';
import { useTranslation } from 'react-i18next';
import { FormDialog } from '../../components/form-dialog.tsx';
import { useSession } from '../../session/session-context.tsx';
import { useReload } from '../../session/workspace-query.ts';
import { firstTerms, MailTermsFields, toRequest } from './mail-terms-fields.tsx';
import { CHOOSABLE, OFTEN } from './target-dialog.tsx';
import { type ChosenTypes, TypeFields } from './type-fields.tsx';

type Props = { readonly onClose: () => void; readonly onDone: (id: string) => void };

/** Adds an address of mail, which a code is sent to. */
export function MailDialog({ onClose, onDone }: Props) {
  const { t, i18n } = useTranslation();
  const { client } = useSession();
  const reload = useReload();
  const [name, setName] = useState('');
  const [address, setAddress] = useState('');
  const [terms, setTerms] = useState(firstTerms(i18n.language));
  const [chosen, setChosen] = useState<ChosenTypes>({ isAll: true, types: OFTEN });
  const isReady = name.trim() !== '' && address.trim() !== '' && (chosen.isAll || chosen.types.length > 0);

  async function submit(): Promise<void> {
    const { id } = await client.notifications.createMail({
      ...{ name: name.trim(), address: address.trim(), ...toRequest(terms) },
      event_types: chosen.isAll ? null : [...chosen.types],
    });
    await reload('notifications');
    onDone(id);
    onClose();
  }

  return (
    <FormDialog
      title={t('mailTerms.add')}
      size="xl"
      action={t('mailTerms.sendCode')}
      isReady={isReady}
      onSubmit={submit}
      onClose={onClose}
    >
      <Alert>{t('mailTerms.codeFirst')}</Alert>
      <TextInput
        label={t('notifications.name')}
        description={t('notifications.nameHint')}
        value={name}
        onChange={(event) => setName(event.currentTarget.value)}
        required
        data-autofocus
      />
      <TextInput
        label={t('mailTerms.address')}
        type="email"
        value={address}
        onChange={(event) => setAddress(event.currentTarget.value)}
        required
        spellCheck={false}
        autoComplete="off"
      />
      <MailTermsFields terms={terms} onChange={setTerms} />
      <TypeFields
        title={t('notifications.types')}
        chosen={chosen}
        choosable={CHOOSABLE}
        all={t('notifications.all')}
        onChange={setChosen}
      />
    </FormDialog>
  );
}
