import { Alert, Button, Group, Stack, Text } from '@mantine/core';
import { useState } from 'react';
import { useTranslation } from 'react-i18next';
import type { OwnNotifications } from '@answer-evidence/contracts';
import { Chip } from '../../components/chip.tsx';
import { ConfirmDialog } from '../../components/confirm-dialog.tsx';
import { PlainText } from '../../components/plain-text.tsx';
import { Time } from '../../components/time.tsx';
import { useSession } from '../../session/session-context.tsx';
import { CodeForm } from './code-form.tsx';

type Props = { readonly own: OwnNotifications; readonly onChange: () => Promise<unknown> };

/** Where the mails go and whether they do; the code is entered here, and the address removed. */
export function OwnState({ own: { address, reason, failing_since: failing, pending }, onChange }: Props) {
  const { t } = useTranslation();
  const { client } = useSession();
  const [isRemoving, setRemoving] = useState(false);
  return (
    <Stack mb="lg">
      <Group>
        <Text fw={600}>
          <PlainText text={address} />
        </Text>
        <Chip color={reason === null ? (failing === null ? 'green' : 'red') : 'yellow'}>
          {reason !== null
            ? t(`ownReasons.${reason}`)
            : t(failing === null ? 'ownNotifications.active' : 'ownNotifications.failing')}
        </Chip>
        <Button variant="default" size="compact-sm" onClick={() => setRemoving(true)}>
          {t('ownNotifications.remove')}
        </Button>
      </Group>
      {failing !== null && (
        <Text size="sm" c="dimmed">
          {t('notifications.failingSince')} <Time at={failing} />
        </Text>
      )}
      {pending > 0 && (
        <Text size="sm" c="dimmed">
          {t('ownNotifications.pending', { count: pending })}
        </Text>
      )}
      {reason === 'unconfirmed' && (
        <>
          <Alert>{t('ownNotifications.codeSent')}</Alert>
          <CodeForm
            onConfirm={async (code) => {
              await client.notifications.confirmOwn(code);
              await onChange();
            }}
          />
        </>
      )}
      {isRemoving && (
        <ConfirmDialog
          title={t('ownNotifications.removeTitle')}
          consequence={t('ownNotifications.removeText')}
          action={t('ownNotifications.remove')}
          isDangerous
          onConfirm={async () => {
            await client.notifications.removeOwn();
            await onChange();
          }}
          onClose={() => setRemoving(false)}
        />
      )}
    </Stack>
  );
}
