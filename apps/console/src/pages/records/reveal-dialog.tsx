import { useTranslation } from 'react-i18next';
import type { AnswerRecord, RevealRequest } from '@answer-evidence/contracts';
import { ReadingReasonDialog } from '../../components/reading-reason-dialog.tsx';
import { useSession } from '../../session/session-context.tsx';
import { useReload } from '../../session/workspace-query.ts';

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
  const reload = useReload();
  return (
    <ReadingReasonDialog
      title={t('reveal.title')}
      consequence={t('reveal.consequence')}
      action={t('reveal.action')}
      onConfirm={async (reason) => {
        onRevealed({ record: await client.records.reveal(recordId, reason), reason });
        void reload('reveals');
      }}
      onClose={onClose}
    />
  );
}
