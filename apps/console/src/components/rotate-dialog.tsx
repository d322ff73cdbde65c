import { Alert, Button, Group, NativeSelect, Stack } from '@mantine/core';
import { useState } from 'react';
import { useTranslation } from 'react-i18next';
import { ActionError } from './action-error.tsx';
import { AppModal } from './app-modal.tsx';
import { SecretOnce } from './secret-once.tsx';
import { useAction } from './use-action.ts';

type Props = {
  readonly title: string;
  readonly consequence: string;
  readonly action: string;
  /** What the secret is called where it is shown. */
  readonly label: string;
  readonly overlapLabel: string;
  /** How long the old one may stay good, in seconds; the third is offered first. */
  readonly overlaps: readonly [number, number, number, ...number[]];
  /** Resolves to the new secret. */
  readonly onRotate: (overlapSeconds: number) => Promise<string>;
  readonly onClose: () => void;
};

/** Exchanges a secret for a new one, which is shown once; the old one can stay good for a while. */
export function RotateDialog({ title, consequence, action, label, overlapLabel, overlaps, onRotate, onClose }: Props) {
  const { t } = useTranslation();
  const [overlap, setOverlap] = useState(overlaps[2]);
  const [secret, setSecret] = useState<string | null>(null);
  const { isBusy, error, run } = useAction();
  return (
    <AppModal opened title={title} onClose={onClose} isFixed={secret !== null}>
      {secret !== null ? (
        <SecretOnce label={label} secret={secret} onDone={onClose} />
      ) : (
        <Stack>
          <Alert>{consequence}</Alert>
          <NativeSelect
            label={overlapLabel}
            value={overlap}
            onChange={(event) => setOverlap(Number(event.currentTarget.value))}
            data={overlaps.map((seconds) => ({ value: String(seconds), label: t(`lives.${seconds}`) }))}
            data-autofocus
          />
          <ActionError error={error} />
          <Group justify="flex-end">
            <Button variant="default" onClick={onClose}>
              {t('common.cancel')}
            </Button>
            <Button loading={isBusy} onClick={() => void run(async () => setSecret(await onRotate(overlap)))}>
              {action}
            </Button>
          </Group>
        </Stack>
      )}
    </AppModal>
  );
}
