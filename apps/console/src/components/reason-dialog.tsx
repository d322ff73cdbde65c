import { Alert, Textarea } from '@mantine/core';
import { type ReactNode, useState } from 'react';
import { useTranslation } from 'react-i18next';
import { isVisible } from '@answer-evidence/contracts';
import { FormDialog } from './form-dialog.tsx';

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

  async function submit(): Promise<void> {
    await onConfirm(reason.trim());
    onClose();
  }

  return (
    <FormDialog
      title={title}
      size="lg"
      action={action}
      isDangerous={isDangerous}
      isReady={isReady && isVisible(reason)}
      onSubmit={submit}
      onClose={onClose}
    >
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
    </FormDialog>
  );
}
