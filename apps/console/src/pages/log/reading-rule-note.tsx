import { Text } from '@mantine/core';
import { useTranslation } from 'react-i18next';
import { useWorkspaceQuery } from '../../session/workspace-query.ts';

/** Which reading rule is in force, and what that means for who read; for managers, who may read the settings. */
export function ReadingRuleNote() {
  const { t } = useTranslation();
  const settings = useWorkspaceQuery(['settings'], (client) => client.settings.get());
  const rule = settings.data?.answer_audit_reading_rule;
  if (rule === undefined) return null;
  return (
    <Text size="sm" c="dimmed" mt="xs">
      {t('readingRules.inForce', { rule: t(`readingRules.${rule}`) })}{' '}
      {t(`consequences.answer_audit_reading_rule.${rule}`)} {t('readingRules.before')}
    </Text>
  );
}
