import { useTranslation } from 'react-i18next';
import type { MemberAccess } from '@answer-evidence/contracts';
import { PlainText } from '../../components/plain-text.tsx';

/** A role, and below it where it holds if that is not everywhere. */
export function AccessText({ access: { role, applications, environments } }: { readonly access: MemberAccess }) {
  const { t } = useTranslation();
  const names = [...(applications ?? []), ...(environments ?? [])];
  return (
    <>
      {t(`roles.${role}`)}
      {names.length > 0 && (
        <div className="muted">
          {t('members.limits.only')} <PlainText text={names.join(', ')} />
        </div>
      )}
    </>
  );
}
