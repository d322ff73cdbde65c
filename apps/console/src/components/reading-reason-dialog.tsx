import { NativeSelect } from '@mantine/core';
import { useState } from 'react';
import { useTranslation } from 'react-i18next';
import { REVEAL_REASON_CODES, REVEAL_REASON_MAX, type RevealRequest } from '@answer-evidence/contracts';
import { ReasonDialog } from './reason-dialog.tsx';

type Props = {
  readonly title: string;
  /** What the log keeps of it, in plain words. */
  readonly consequence: string;
  /** What the button says that does it. */
  readonly action: string;
  /** Does it. What it throws is shown, and everything that was typed stays. */
  readonly onConfirm: (reason: RevealRequest) => Promise<void>;
  readonly onClose: () => void;
};

/** Asks why somebody reads texts; the log keeps it before they come. */
export function ReadingReasonDialog({ onConfirm, ...props }: Props) {
  const { t } = useTranslation();
  const [code, setCode] = useState<RevealRequest['reason_code']>('review');
  return (
    <ReasonDialog
      {...props}
      reasonMax={REVEAL_REASON_MAX}
      onConfirm={(reason) => onConfirm({ reason_code: code, reason })}
    >
      <NativeSelect
        label={t('reveal.code')}
        value={code}
        onChange={(event) => setCode(REVEAL_REASON_CODES.find((one) => one === event.currentTarget.value) ?? 'other')}
        data={REVEAL_REASON_CODES.map((value) => ({ value, label: t(`reveal.codes.${value}`) }))}
      />
    </ReasonDialog>
  );
}
