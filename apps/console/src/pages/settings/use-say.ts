import { useTranslation } from 'react-i18next';
import { formatSize } from '../../components/format-size.ts';
import type { Draft, Field } from './settings-draft.ts';
import { useSayTwoPeople } from './use-say-two-people.ts';

/** Says the value of a setting in words, with its unit. */
export function useSay(): (name: Field, settings: Draft) => string {
  const { t, i18n } = useTranslation();
  const { sayPolicy } = useSayTwoPeople();
  const days = (count: number) => t('settings.days', { count });
  return (name, settings) => {
    switch (name) {
      case 'answer_audit_reading_rule':
        return t(`readingRules.${settings[name]}`);
      case 'answer_audit_default_retention_days':
        return days(settings[name]);
      case 'answer_audit_retention_floor': {
        const floor = settings[name];
        return floor === null ? t('settings.noFloor') : `${days(floor.days)} (${floor.reason})`;
      }
      case 'answer_audit_evidence_max_bytes':
        return formatSize(settings[name], i18n.language);
      case 'answer_audit_two_people':
        return sayPolicy(settings[name]);
      default:
        return t(settings[name] ? 'common.on' : 'common.off');
    }
  };
}
