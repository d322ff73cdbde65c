import { Alert, Button, Group, Stack, Textarea } from '@mantine/core';
import { type FormEvent, type ReactNode, useState } from 'react';
import { useTranslation } from 'react-i18next';
import { isVisible } from '@answer-evidence/contracts';
import { ActionError } from './action-error.tsx';
import { AppModal } from './app-modal.tsx';
import { useAction } from './use-action.ts';

/** Longest reason that the service accepts, in UTF-16 code units. */
const REASON_MAX = 4000;

type Props = {
  readonly title: string;
  /** What will happen, in plain words. */
  readonly consequence: ReactNode;
  /** What the button says that does it. */
  readonly action: string;
  readonly isDangerous?: boolean;
  /** Fields between the consequence and the reason. */
  readonly children?: ReactNode;
  /** Whether those fields are filled in. */
  readonly isReady?: boolean;
  /** Left out: as long as the service accepts for events. */
  readonly reasonMax?: number;
  /** Does it. What it throws is shown, and everything that was typed stays. */
  readonly onConfirm: (reason: string) => Promise<void>;
  readonly onClose: () => void;
};

/** A decision that is written into the log: it shows its consequence and needs a reason. */
export function ReasonDialog(props: Props) {
  const {
    title,
    consequence,
    action,
    isDangerous = false,
    children,
    isReady = true,
    reasonMax = REASON_MAX,
    onConfirm,
    onClose,
  } = props;
  const { t } = useTranslation();
  const [reason, setReason] = useState('');
  const { isBusy, error, run } = useAction();
  const canSend = isReady && isVisible(reason);

  async function submit(event: FormEvent): Promise<void> {
    event.preventDefault();
    if (canSend && (await run(() => onConfirm(reason.trim())))) onClose();
  }

  return (
    <AppModal opened title={title} onClose={onClose} size="lg">
      <form onSubmit={(event) => void submit(event)}>
        <Stack>
          <Alert color={isDangerous ? 'red' : 'blue'}>{consequence}</Alert>
          {children}
          <Textarea
            label={t('reason.label')}
            description={t('reason.hint')}
            value={reason}
            onChange={(event) => setReason(event.currentTarget.value)}
            aria-keyshortcuts="Control+Enter"
            onKeyDown={(event) => {
              if (event.key === 'Enter' && (event.ctrlKey || event.metaKey)) event.currentTarget.form?.requestSubmit();
            }}
            maxLength={reasonMax}
            rows={3}
            required
            data-autofocus
          />
          <ActionError error={error} />
          <Group justify="flex-end">
            <Button variant="default" onClick={onClose}>
              {t('common.cancel')}
            </Button>
            <Button type="submit" color={isDangerous ? 'red' : 'blue'} loading={isBusy} disabled={!canSend}>
              {action}
            </Button>
          </Group>
        </Stack>
      </form>
    </AppModal>
  );
}
