import { NativeSelect, Stack, Textarea } from '@mantine/core';
import { useTranslation } from 'react-i18next';
import { isVisible, REVEAL_REASON_CODES, REVEAL_REASON_MAX, type RevealRequest } from '@answer-evidence/contracts';

type Props = { readonly value: RevealRequest; readonly onChange: (value: RevealRequest) => void };

/** What the fields begin with: no reason. */
export const NO_REASON: RevealRequest = { reason_code: 'review', reason: '' };

/** The reason, if somebody gave one. */
export function givenReason(value: RevealRequest): RevealRequest | undefined {
  return isVisible(value.reason) ? { ...value, reason: value.reason.trim() } : undefined;
}

/** Why somebody reads texts that leave as a file. Workspaces whose rule demands a reason refuse it without. */
export function ReasonFields({ value, onChange }: Props) {
  const { t } = useTranslation();
  return (
    <Stack gap="xs">
      <NativeSelect
        label={t('reveal.code')}
        value={value.reason_code}
        onChange={({ currentTarget }) =>
          onChange({
            ...value,
            reason_code: REVEAL_REASON_CODES.find((one) => one === currentTarget.value) ?? 'other',
          })
        }
        data={REVEAL_REASON_CODES.map((code) => ({ value: code, label: t(`reveal.codes.${code}`) }))}
      />
      <Textarea
        label={t('reason.label')}
        description={t('readingRules.reasonHint')}
        value={value.reason}
        onChange={({ currentTarget }) => onChange({ ...value, reason: currentTarget.value })}
        maxLength={REVEAL_REASON_MAX}
        rows={2}
      />
    </Stack>
  );
}
