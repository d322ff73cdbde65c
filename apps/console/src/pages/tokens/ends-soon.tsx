import { useTranslation } from 'react-i18next';
import type { TokenSummary } from '@answer-evidence/contracts';
import { Chip } from '../../components/chip.tsx';
import { daysLeft } from './days-left.ts';

/** In its last days a token is yellow, and on the last one red; nothing before that. */
export function EndsSoon({ token }: { readonly token: Pick<TokenSummary, 'created_at' | 'expires_at'> }) {
  const { t } = useTranslation();
  const days = daysLeft(token, Date.now());
  if (days === null) return null;
  return <Chip color={days <= 1 ? 'red' : 'yellow'}>{t('tokens.daysLeft', { count: days })}</Chip>;
}
