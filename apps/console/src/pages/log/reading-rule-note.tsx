import { Text } from '@mantine/core';
import { useQuery } from '@tanstack/react-query';
import { useTranslation } from 'react-i18next';
import { useSession } from '../../session/session-context.tsx';

/** Which reading rule is in force, and what that means for who read; for managers, who may read the settings. */
export function ReadingRuleNote() {
  const { t } = useTranslation();
  const { client, session } = useSession();
  const settings = useQuery({
    queryKey: ['settings', session.workspace.id],
    queryFn: () => client.settings.get(),
  });
  const rule = settings.data?.answer_audit_reading_rule;
  if (rule === undefined) return null;
  return (
    <Text size="sm" c="dimmed" mt="xs">
      {t('readingRules.inForce', { rule: t(`readingRules.${rule}`) })}{' '}
      {t(`consequences.answer_audit_reading_rule.${rule}`)} {t('readingRules.before')}
    </Text>
  );
}
