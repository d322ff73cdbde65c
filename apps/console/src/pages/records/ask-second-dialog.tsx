import { useNavigate } from '@tanstack/react-router';
import { useTranslation } from 'react-i18next';
import { APPROVAL_REASON_LENGTH_MAX, type CreateEventRequest, requestedEvent } from '@answer-evidence/contracts';
import { ReasonDialog } from '../../components/reason-dialog.tsx';
import { useSession } from '../../session/session-context.tsx';

type Props = { readonly recordId: string; readonly request: CreateEventRequest; readonly onClose: () => void };

/** Asks for an event that one person may not append alone. */
export function AskSecondDialog({ recordId, request, onClose }: Props) {
  const { t } = useTranslation();
  const { client } = useSession();
  const navigate = useNavigate();
  return (
    <ReasonDialog
      title={t('approvals.askTitle')}
      consequence={t('approvals.askText')}
      action={t('approvals.ask')}
      reasonMax={APPROVAL_REASON_LENGTH_MAX}
      onConfirm={async (reason) => {
        const event = requestedEvent.parse({ answer_log_id: recordId, ...request });
        await client.approvals.request({ reason, event });
        void navigate({ to: '/approvals' });
      }}
      onClose={onClose}
    />
  );
}
