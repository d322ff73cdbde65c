import { useTranslation } from 'react-i18next';
import type { TwoPeople } from '@answer-evidence/contracts';

const [HOUR_SECONDS, DAY_SECONDS] = [3_600, 86_400];

/** Says which acts need two people, and the time for a decision, in words. */
export function useSayTwoPeople() {
  const { t } = useTranslation();
  const sayTime = (seconds: number) =>
    seconds % DAY_SECONDS === 0
      ? t('settings.days', { count: seconds / DAY_SECONDS })
      : t('twoPeople.hours', { count: Math.ceil(seconds / HOUR_SECONDS) });
  const sayPolicy = ({ acts, expires_within: within, exports_above: above = 0 }: TwoPeople) => {
    if (acts.length === 0) return t('twoPeople.nothing');
    const named = acts.map((act) =>
      act === 'export' ? t('twoPeople.exports', { count: above }) : t(`approvals.acts.${act}`, { defaultValue: act }),
    );
    return `${named.join(', ')} (${sayTime(within)})`;
  };
  return { sayTime, sayPolicy };
}
