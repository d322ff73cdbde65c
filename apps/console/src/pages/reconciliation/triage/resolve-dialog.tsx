import { Button, Group, Stack } from '@mantine/core';
import { type FormEvent, useState } from 'react';
import { useTranslation } from 'react-i18next';
import type { Resolution } from '@answer-evidence/contracts';
import { ActionError } from '../../../components/action-error.tsx';
import { AppModal } from '../../../components/app-modal.tsx';
import { useAction } from '../../../components/use-action.ts';
import { CommentField, ResolutionField } from './triage-fields.tsx';

type Props = {
  readonly count: number;
  readonly onConfirm: (resolution: Resolution, text: string) => Promise<void>;
  readonly onClose: () => void;
};

/** Resolves several findings for one reason. */
export function ResolveDialog({ count, onConfirm, onClose }: Props) {
  const { t } = useTranslation();
  const [resolution, setResolution] = useState<Resolution>('recorded_since');
  const [text, setText] = useState('');
  const { isBusy, error, run } = useAction();
  const submit = async (event: FormEvent) => {
    event.preventDefault();
    if (await run(() => onConfirm(resolution, text.trim()))) onClose();
  };
  return (
    <AppModal opened title={t('triage.resolveMany', { count })} onClose={onClose}>
      <form onSubmit={(event) => void submit(event)}>
        <Stack>
          <ResolutionField value={resolution} onChange={setResolution} />
          <CommentField value={text} onChange={setText} />
          <ActionError error={error} />
          <Group justify="flex-end">
            <Button variant="default" onClick={onClose}>
              {t('common.cancel')}
            </Button>
            <Button type="submit" loading={isBusy}>
              {t('triage.resolve')}
            </Button>
          </Group>
        </Stack>
      </form>
    </AppModal>
  );
}
