import { TextInput } from '@mantine/core';
import { useState } from 'react';
import { useTranslation } from 'react-i18next';
import { NOTIFICATION_TYPES, type NotificationTarget, type NotificationType } from '@answer-evidence/contracts';
import { FormDialog } from '../../components/form-dialog.tsx';
import { SecretOnce } from '../../components/secret-once.tsx';
import { useSession } from '../../session/session-context.tsx';
import { useReload } from '../../session/workspace-query.ts';
import { type ChosenTypes, TypeFields } from './type-fields.tsx';

/** Every target gets these, since a manager has each sent. */
export const CHOOSABLE = NOTIFICATION_TYPES.filter((type) => type !== 'test');
/** What most receivers want to hear of first. */
export const OFTEN: readonly NotificationType[] = [
  ...(['record.redacted', 'answers.missing', 'anchor.failing', 'anchor.back'] as const),
  ...(['witness.failing', 'witness.back', 'sweep.held', 'token.ends'] as const),
];

type Props = {
  /** The one to change; left out: a new one. */
  readonly target?: NotificationTarget;
  readonly onClose: () => void;
  readonly onDone: (id: string) => void;
};

/** Adds a webhook and shows its secret once, or changes one. Its address is never shown again. */
export function TargetDialog({ target, onClose, onDone }: Props) {
  const { t } = useTranslation();
  const { client } = useSession();
  const reload = useReload();
  const [name, setName] = useState(target?.name ?? '');
  const [url, setUrl] = useState('');
  const [chosen, setChosen] = useState<ChosenTypes>({
    isAll: target === undefined || target.event_types === null,
    types: CHOOSABLE.filter((type) => target?.event_types?.includes(type) ?? OFTEN.includes(type)),
  });
  const [made, setMade] = useState<{ readonly id: string; readonly secret: string } | null>(null);
  const isReady =
    name.trim() !== '' && (target !== undefined || url.trim() !== '') && (chosen.isAll || chosen.types.length > 0);

  async function submit(): Promise<void> {
    const wanted = { name: name.trim(), event_types: chosen.isAll ? null : [...chosen.types] };
    if (target === undefined) {
      const { id, secret } = await client.notifications.create({ ...wanted, url: url.trim() });
      setMade({ id, secret });
    } else
      await client.notifications.change(target.id, { ...wanted, ...(url.trim() === '' ? {} : { url: url.trim() }) });
    await reload('notifications');
    if (target !== undefined) onClose();
  }

  const finish = () => {
    if (made !== null) onDone(made.id);
    onClose();
  };
  const title = target === undefined ? t('notifications.add') : t('notifications.changeOf', { name: target.name });
  return (
    <FormDialog
      title={title}
      size="xl"
      action={t(target === undefined ? 'notifications.add' : 'common.save')}
      isReady={isReady}
      outcome={
        made === null ? undefined : (
          <SecretOnce label={t('notifications.secretOf', { name: name.trim() })} secret={made.secret} onDone={finish} />
        )
      }
      onSubmit={submit}
      onClose={onClose}
    >
      <TextInput
        label={t('notifications.name')}
        description={t('notifications.nameHint')}
        value={name}
        onChange={(event) => setName(event.currentTarget.value)}
        required
        data-autofocus
      />
      {(target?.mail ?? null) === null && (
        <TextInput
          label={t('notifications.url')}
          description={t(target === undefined ? 'notifications.urlHint' : 'notifications.urlKept')}
          placeholder="https://"
          value={url}
          onChange={(event) => setUrl(event.currentTarget.value)}
          required={target === undefined}
          spellCheck={false}
          autoComplete="off"
        />
      )}
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
