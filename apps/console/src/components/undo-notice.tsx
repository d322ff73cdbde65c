import { Button, CloseButton, Group } from '@mantine/core';
import { useTranslation } from 'react-i18next';

type Props = {
  /** What was done. */
  readonly said: string;
  readonly isBusy: boolean;
  /** Does the opposite, as an act of its own; left out where there is nothing more to take back. */
  readonly onUndo?: (() => void) | undefined;
  readonly onClose: () => void;
};

/** Says that something was done, and offers to take it back. It stays until the reader closes it or goes on. */
export function UndoNotice({ said, isBusy, onUndo, onClose }: Props) {
  const { t } = useTranslation();
  return (
    <Group role="status" gap="xs">
      {said}
      {onUndo !== undefined && (
        <Button size="compact-sm" variant="subtle" disabled={isBusy} onClick={onUndo}>
          {t('undo.undo')}
        </Button>
      )}
      <CloseButton size="sm" aria-label={t('common.close')} onClick={onClose} />
    </Group>
  );
}
