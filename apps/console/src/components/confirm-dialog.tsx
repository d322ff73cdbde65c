import { Alert, Button, Group, Stack } from '@mantine/core';
import type { ReactNode } from 'react';
import { useTranslation } from 'react-i18next';
import { ActionError } from './action-error.tsx';
import { AppModal } from './app-modal.tsx';
import { useAction } from './use-action.ts';

type Props = {
  readonly title: string;
  /** What will happen, in plain words. */
  readonly consequence: ReactNode;
  readonly action: string;
  readonly isDangerous?: boolean;
  readonly onConfirm: () => Promise<void>;
  readonly onClose: () => void;
};

/** A decision that needs no reason: it shows its consequence first. */
export function ConfirmDialog({ title, consequence, action, isDangerous = false, onConfirm, onClose }: Props) {
  const { t } = useTranslation();
  const { isBusy, error, run } = useAction();
  const confirm = async () => {
    if (await run(onConfirm)) onClose();
  };
  return (
    <AppModal opened title={title} onClose={onClose}>
      <Stack>
        <Alert color={isDangerous ? 'red' : 'blue'}>{consequence}</Alert>
        <ActionError error={error} />
        <Group justify="flex-end">
          <Button variant="default" onClick={onClose} data-autofocus>
            {t('common.cancel')}
          </Button>
          <Button color={isDangerous ? 'red' : 'blue'} loading={isBusy} onClick={() => void confirm()}>
            {action}
          </Button>
        </Group>
      </Stack>
    </AppModal>
  );
}
