import { Button, Group, Stack } from '@mantine/core';
import type { FormEvent, ReactNode } from 'react';
import { useTranslation } from 'react-i18next';
import { ActionError } from './action-error.tsx';
import { AppModal } from './app-modal.tsx';
import type { OpenModalProps } from './open-modal.tsx';
import { useAction } from './use-action.ts';

type Props = Pick<OpenModalProps, 'title' | 'size' | 'isFixed'> & {
  readonly children: ReactNode;
  /** What the button says that sends it. */
  readonly action: string;
  readonly isDangerous?: boolean;
  /** Whether the fields are filled in. */
  readonly isReady?: boolean;
  /** In place of the fields once they were sent. Unless `isFixed` says otherwise, the dialog cannot be closed then. */
  readonly outcome?: ReactNode;
  /** In place of why it failed. */
  readonly failure?: ReactNode;
  /** What the button says that sends nothing; left out: that it cancels. */
  readonly leave?: string;
  /** Sends it. What it throws is shown, and everything that was typed stays. */
  readonly onSubmit: () => Promise<void>;
  readonly onClose: () => void;
};

/** A dialog of fields that are sent together. */
export function FormDialog(props: Props) {
  const { title, size, children, action, isDangerous = false, isReady = true, outcome, failure, onClose } = props;
  const { t } = useTranslation();
  const { isBusy, error, run } = useAction();
  const submit = (event: FormEvent) => {
    event.preventDefault();
    if (isReady) void run(props.onSubmit);
  };
  return (
    <AppModal opened title={title} onClose={onClose} size={size} isFixed={props.isFixed ?? outcome !== undefined}>
      {outcome ?? (
        <form onSubmit={submit}>
          <Stack>
            {children}
            {failure ?? <ActionError error={error} />}
            <Group justify="flex-end">
              <Button variant="default" onClick={onClose}>
                {props.leave ?? t('common.cancel')}
              </Button>
              <Button type="submit" color={isDangerous ? 'red' : 'blue'} loading={isBusy} disabled={!isReady}>
                {action}
              </Button>
            </Group>
          </Stack>
        </form>
      )}
    </AppModal>
  );
}
