import { Radio, Stack } from '@mantine/core';
import { useTranslation } from 'react-i18next';
import { READING_RULES, type ReadingRule } from '@answer-evidence/contracts';

type Props = { readonly value: ReadingRule; readonly onChange: (rule: ReadingRule) => void };

/** By which rule people are given texts, each with what it means. */
export function ReadingRuleField({ value, onChange }: Props) {
  const { t } = useTranslation();
  return (
    <Radio.Group
      label={t('settings.answer_audit_reading_rule')}
      value={value}
      onChange={(next) => onChange(READING_RULES.find((one) => one === next) ?? value)}
    >
      <Stack gap="xs" mt="xs">
        {READING_RULES.map((rule) => (
          <Radio
            key={rule}
            value={rule}
            label={t(`readingRules.${rule}`)}
            description={t(`consequences.answer_audit_reading_rule.${rule}`)}
          />
        ))}
      </Stack>
    </Radio.Group>
  );
}
