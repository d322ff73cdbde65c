import { useState } from 'react';
import { useTranslation } from 'react-i18next';
import type { Resolution } from '@answer-evidence/contracts';
import { FormDialog } from '../../../components/form-dialog.tsx';
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
  const submit = async () => {
    await onConfirm(resolution, text.trim());
    onClose();
  };
  return (
    <FormDialog
      title={t('triage.resolveMany', { count })}
      action={t('triage.resolve')}
      onSubmit={submit}
      onClose={onClose}
    >
      <ResolutionField value={resolution} onChange={setResolution} />
      <CommentField value={text} onChange={setText} />
    </FormDialog>
  );
}
