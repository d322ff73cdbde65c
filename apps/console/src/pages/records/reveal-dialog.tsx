import { NativeSelect } from '@mantine/core';
import { useQueryClient } from '@tanstack/react-query';
import { useState } from 'react';
import { useTranslation } from 'react-i18next';
import {
  type AnswerRecord,
  REVEAL_REASON_CODES,
  REVEAL_REASON_MAX,
  type RevealRequest,
} from '@answer-evidence/contracts';
import { ReasonDialog } from '../../components/reason-dialog.tsx';
import { useSession } from '../../session/session-context.tsx';

/** Texts that the reader asked for, and the reason that the log has of it. In memory, and gone with the page. */
export type Reveal = { readonly record: AnswerRecord; readonly reason: RevealRequest };

type Props = {
  readonly recordId: string;
  readonly onRevealed: (reveal: Reveal) => void;
  readonly onClose: () => void;
};

/** Asks why somebody reads the texts; the log keeps it before they come. */
export function RevealDialog({ recordId, onRevealed, onClose }: Props) {
  const { t } = useTranslation();
  const { client } = useSession();
  const queries = useQueryClient();
  const [code, setCode] = useState<(typeof REVEAL_REASON_CODES)[number]>('review');
  return (
    <ReasonDialog
      title={t('reveal.title')}
      consequence={t('reveal.consequence')}
      action={t('reveal.action')}
      reasonMax={REVEAL_REASON_MAX}
      onConfirm={async (words) => {
        const reason = { reason_code: code, reason: words };
        onRevealed({ record: await client.records.reveal(recordId, reason), reason });
        void queries.invalidateQueries({ queryKey: ['reveals'] });
      }}
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
