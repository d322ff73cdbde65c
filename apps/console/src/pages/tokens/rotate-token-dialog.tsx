import { useTranslation } from 'react-i18next';
import type { TokenSummary } from '@answer-evidence/contracts';
import { RotateDialog } from '../../components/rotate-dialog.tsx';
import { useSession } from '../../session/session-context.tsx';
import { useReload } from '../../session/workspace-query.ts';
import { OVERLAPS } from './lives.ts';

type Props = { readonly token: Pick<TokenSummary, 'id' | 'name'>; readonly onClose: () => void };

/** Exchanges a token for a new one; the old one can stay good for a while. */
export function RotateTokenDialog({ token: { id, name }, onClose }: Props) {
  const { t } = useTranslation();
  const { client } = useSession();
  const reload = useReload();
  return (
    <RotateDialog
      title={t('tokens.rotateTitle', { name })}
      consequence={t('tokens.rotateText')}
      action={t('tokens.rotate')}
      label={t('tokens.secret', { name })}
      overlapLabel={t('tokens.overlap')}
      overlaps={OVERLAPS}
      onRotate={async (overlap) => {
        const { token } = await client.tokens.rotate(id, { overlap_seconds: overlap });
        void reload('tokens');
        return token;
      }}
      onClose={onClose}
    />
  );
}
