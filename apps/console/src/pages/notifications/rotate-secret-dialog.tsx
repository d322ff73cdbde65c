import { Alert, Button, Group, NativeSelect, Stack } from '@mantine/core';
import { useQueryClient } from '@tanstack/react-query';
import { useState } from 'react';
import { useTranslation } from 'react-i18next';
import type { NotificationTarget } from '@answer-evidence/contracts';
import { ActionError } from '../../components/action-error.tsx';
import { AppModal } from '../../components/app-modal.tsx';
import { SecretOnce } from '../../components/secret-once.tsx';
import { useAction } from '../../components/use-action.ts';
import { useSession } from '../../session/session-context.tsx';

const OVERLAPS = [0, 3_600, 86_400, 604_800] as const;

type Props = { readonly target: NotificationTarget; readonly onClose: () => void };

/** Gives a target a new secret, which is shown once; the old one signs as well for a while. */
export function RotateSecretDialog({ target: { id, name }, onClose }: Props) {
  const { t } = useTranslation();
  const { client, session } = useSession();
  const queries = useQueryClient();
  const [overlap, setOverlap] = useState<number>(OVERLAPS[2]);
  const [secret, setSecret] = useState<string | null>(null);
  const { isBusy, error, run } = useAction();
  const rotate = () =>
    run(async () => {
      setSecret((await client.notifications.rotate(id, { overlap_seconds: overlap })).secret);
      await queries.invalidateQueries({ queryKey: ['notifications', session.workspace.id] });
    });
  return (
    <AppModal opened title={t('notifications.rotateOf', { name })} onClose={onClose} isFixed={secret !== null}>
      {secret !== null ? (
        <SecretOnce label={t('notifications.secretOf', { name })} secret={secret} onDone={onClose} />
      ) : (
        <Stack>
          <Alert>{t('notifications.rotateText')}</Alert>
          <NativeSelect
            label={t('notifications.overlap')}
            value={overlap}
            onChange={(event) => setOverlap(Number(event.currentTarget.value))}
            data={OVERLAPS.map((seconds) => ({ value: String(seconds), label: t(`lives.${seconds}`) }))}
            data-autofocus
          />
          <ActionError error={error} />
          <Group justify="flex-end">
            <Button variant="default" onClick={onClose}>
              {t('common.cancel')}
            </Button>
            <Button loading={isBusy} onClick={() => void rotate()}>
              {t('notifications.rotate')}
            </Button>
          </Group>
        </Stack>
      )}
    </AppModal>
  );
}
