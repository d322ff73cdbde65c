import { Button, Group, Stack, TextInput } from '@mantine/core';
import { useQueryClient } from '@tanstack/react-query';
import { type FormEvent, useState } from 'react';
import { useTranslation } from 'react-i18next';
import { NOTIFICATION_TYPES, type NotificationTarget, type NotificationType } from '@answer-evidence/contracts';
import { ActionError } from '../../components/action-error.tsx';
import { AppModal } from '../../components/app-modal.tsx';
import { SecretOnce } from '../../components/secret-once.tsx';
import { useAction } from '../../components/use-action.ts';
import { useSession } from '../../session/session-context.tsx';
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
  const { client, session } = useSession();
  const queries = useQueryClient();
  const [name, setName] = useState(target?.name ?? '');
  const [url, setUrl] = useState('');
  const [chosen, setChosen] = useState<ChosenTypes>({
    isAll: target === undefined || target.event_types === null,
    types: CHOOSABLE.filter((type) => target?.event_types?.includes(type) ?? OFTEN.includes(type)),
  });
  const [made, setMade] = useState<{ readonly id: string; readonly secret: string } | null>(null);
  const { isBusy, error, run } = useAction();
  const isReady =
    name.trim() !== '' && (target !== undefined || url.trim() !== '') && (chosen.isAll || chosen.types.length > 0);

  async function submit(event: FormEvent): Promise<void> {
    event.preventDefault();
    if (!isReady) return;
    const wanted = { name: name.trim(), event_types: chosen.isAll ? null : [...chosen.types] };
    const isDone = await run(async () => {
      if (target === undefined) {
        const { id, secret } = await client.notifications.create({ ...wanted, url: url.trim() });
        setMade({ id, secret });
      } else
        await client.notifications.change(target.id, { ...wanted, ...(url.trim() === '' ? {} : { url: url.trim() }) });
      await queries.invalidateQueries({ queryKey: ['notifications', session.workspace.id] });
    });
    if (isDone && target !== undefined) onClose();
  }

  const finish = () => {
    if (made !== null) onDone(made.id);
    onClose();
  };
  const title = target === undefined ? t('notifications.add') : t('notifications.changeOf', { name: target.name });
  return (
    <AppModal opened title={title} onClose={onClose} size="xl" isFixed={made !== null}>
      {made !== null ? (
        <SecretOnce label={t('notifications.secretOf', { name: name.trim() })} secret={made.secret} onDone={finish} />
      ) : (
        <form onSubmit={(event) => void submit(event)}>
          <Stack>
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
            <ActionError error={error} />
            <Group justify="flex-end">
              <Button variant="default" onClick={onClose}>
                {t('common.cancel')}
              </Button>
              <Button type="submit" loading={isBusy} disabled={!isReady}>
                {t(target === undefined ? 'notifications.add' : 'common.save')}
              </Button>
            </Group>
          </Stack>
        </form>
      )}
    </AppModal>
  );
}
