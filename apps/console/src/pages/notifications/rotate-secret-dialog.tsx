import { useTranslation } from 'react-i18next';
import type { NotificationTarget } from '@answer-evidence/contracts';
import { RotateDialog } from '../../components/rotate-dialog.tsx';
import { useSession } from '../../session/session-context.tsx';
import { useReload } from '../../session/workspace-query.ts';

const OVERLAPS = [0, 3_600, 86_400, 604_800] as const;

type Props = { readonly target: NotificationTarget; readonly onClose: () => void };

/** Gives a target a new secret, which is shown once; the old one signs as well for a while. */
export function RotateSecretDialog({ target: { id, name }, onClose }: Props) {
  const { t } = useTranslation();
  const { client } = useSession();
  const reload = useReload();
  return (
    <RotateDialog
      title={t('notifications.rotateOf', { name })}
      consequence={t('notifications.rotateText')}
      action={t('notifications.rotate')}
      label={t('notifications.secretOf', { name })}
      overlapLabel={t('notifications.overlap')}
      overlaps={OVERLAPS}
      onRotate={async (overlap) => {
        const { secret } = await client.notifications.rotate(id, { overlap_seconds: overlap });
        void reload('notifications');
        return secret;
      }}
      onClose={onClose}
    />
  );
}
