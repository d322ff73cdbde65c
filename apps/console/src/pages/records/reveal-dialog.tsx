import { NativeSelect } from '@mantine/core';
import { useState } from 'react';
import { useTranslation } from 'react-i18next';
import { type AnswerRecord, REVEAL_REASON_CODES, REVEAL_REASON_MAX } from '@answer-evidence/contracts';
import { ReasonDialog } from '../../components/reason-dialog.tsx';
import { useSession } from '../../session/session-context.tsx';

type Props = {
  readonly recordId: string;
  readonly onRevealed: (record: AnswerRecord) => void;
  readonly onClose: () => void;
};

/** Asks why somebody reads the texts; the log keeps it before they come. */
export function RevealDialog({ recordId, onRevealed, onClose }: Props) {
  const { t } = useTranslation();
  const { client } = useSession();
  const [code, setCode] = useState<(typeof REVEAL_REASON_CODES)[number]>('review');
  return (
    <ReasonDialog
      title={t('reveal.title')}
      consequence={t('reveal.consequence')}
      action={t('reveal.action')}
      reasonMax={REVEAL_REASON_MAX}
      onConfirm={async (reason) => onRevealed(await client.records.reveal(recordId, { reason_code: code, reason }))}
      onClose={onClose}
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
