import { Group, NativeSelect, NumberInput, Stack, Switch, TextInput } from '@mantine/core';
import { useTranslation } from 'react-i18next';
import { RETENTION_DAYS_MAX, type RetentionFloor } from '@answer-evidence/contracts';
import { formatDays } from './format-days.ts';

const REASON_LENGTH_MAX = 200;
/** What laws ask for, in days; the first is offered when a floor begins. */
const PRESETS = [
  { name: 'aiAct', days: 183 },
  { name: 'threeYears', days: 1_096 },
  { name: 'sixYears', days: 2_192 },
  { name: 'tenYears', days: 3_650 },
] as const;

type DaysProps = {
  readonly days: number;
  /** The floor, where there is one. */
  readonly least: number;
  readonly onChange: (days: number) => void;
};

/** How long texts are kept unless a record says otherwise. */
export function DefaultRetentionField({ days, least, onChange }: DaysProps) {
  const { t, i18n } = useTranslation();
  return (
    <NumberInput
      label={t('settings.answer_audit_default_retention_days')}
      description={`${t('consequences.retention')} ${formatDays(days, i18n.language)}`}
      value={Number.isNaN(days) ? '' : days}
      onChange={(value) => onChange(value === '' ? NaN : Number(value))}
      error={days < least ? t('settings.belowFloor', { count: least }) : undefined}
      min={1}
      max={RETENTION_DAYS_MAX}
      allowDecimal={false}
      suffix={t('settings.daysSuffix')}
      hideControls
      maw={280}
    />
  );
}

type FloorProps = {
  readonly floor: RetentionFloor | null;
  readonly onChange: (floor: RetentionFloor | null) => void;
};

/** For how long records are kept at least, and which law or contract asks for it. */
export function FloorField({ floor, onChange }: FloorProps) {
  const { t, i18n } = useTranslation();
  const preset = PRESETS.find(({ days }) => days === floor?.days)?.name ?? '';
  return (
    <Stack gap="sm">
      <Switch
        checked={floor !== null}
        onChange={(event) =>
          onChange(event.currentTarget.checked ? { days: PRESETS[0].days, reason: t('floors.aiActReason') } : null)
        }
        label={t('settings.answer_audit_retention_floor')}
        description={t('consequences.floor')}
      />
      {floor !== null && (
        <Group align="flex-start">
          <NativeSelect
            label={t('settings.floorPreset')}
            value={preset}
            onChange={({ currentTarget: { value } }) => {
              const chosen = PRESETS.find(({ name }) => name === value);
              if (chosen !== undefined) onChange({ days: chosen.days, reason: t(`floors.${chosen.name}Reason`) });
            }}
            data={[
              { value: '', label: t('floors.other') },
              ...PRESETS.map(({ name }) => ({ value: name, label: t(`floors.${name}`) })),
            ]}
          />
          <NumberInput
            label={t('settings.floorDays')}
            description={formatDays(floor.days, i18n.language)}
            inputWrapperOrder={['label', 'input', 'description', 'error']}
            value={Number.isNaN(floor.days) ? '' : floor.days}
            onChange={(value) => onChange({ ...floor, days: value === '' ? NaN : Number(value) })}
            min={1}
            max={RETENTION_DAYS_MAX}
            allowDecimal={false}
            suffix={t('settings.daysSuffix')}
            hideControls
            required
            w={160}
          />
          <TextInput
            label={t('settings.floorReason')}
            description={t('settings.floorReasonHint')}
            inputWrapperOrder={['label', 'input', 'description', 'error']}
            value={floor.reason}
            onChange={(event) => onChange({ ...floor, reason: event.currentTarget.value })}
            maxLength={REASON_LENGTH_MAX}
            required
            flex="1 1 18rem"
          />
        </Group>
      )}
    </Stack>
  );
}
