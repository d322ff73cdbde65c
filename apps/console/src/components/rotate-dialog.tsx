import { Alert, NativeSelect } from '@mantine/core';
import { useState } from 'react';
import { useTranslation } from 'react-i18next';
import { FormDialog } from './form-dialog.tsx';
import { SecretOnce } from './secret-once.tsx';

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
  return (
    <FormDialog
      title={title}
      action={action}
      outcome={secret === null ? undefined : <SecretOnce label={label} secret={secret} onDone={onClose} />}
      onSubmit={async () => setSecret(await onRotate(overlap))}
      onClose={onClose}
    >
      <Alert>{consequence}</Alert>
      <NativeSelect
        label={overlapLabel}
        value={overlap}
        onChange={(event) => setOverlap(Number(event.currentTarget.value))}
        data={overlaps.map((seconds) => ({ value: String(seconds), label: t(`lives.${seconds}`) }))}
        data-autofocus
      />
    </FormDialog>
  );
}
