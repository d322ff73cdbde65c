import { useTranslation } from 'react-i18next';
import type { NotificationTarget } from '@answer-evidence/contracts';
import { AppModal } from '../../components/app-modal.tsx';
import { useSession } from '../../session/session-context.tsx';
import { useReload } from '../../session/workspace-query.ts';
import { CodeForm } from './code-form.tsx';

type Props = { readonly target: NotificationTarget; readonly onClose: () => void };

/** Confirms the address of a target by the code that was mailed there. */
export function ConfirmCodeDialog({ target: { id, name }, onClose }: Props) {
  const { t } = useTranslation();
  const { client } = useSession();
  const reload = useReload();
  return (
    <AppModal opened title={t('mailTerms.confirmOf', { name })} onClose={onClose}>
      <CodeForm
        onConfirm={async (code) => {
          await client.notifications.confirm(id, code);
          await reload('notifications');
          onClose();
        }}
      />
    </AppModal>
  );
}
