import { Checkbox, NativeSelect, NumberInput, Stack } from '@mantine/core';
import { useTranslation } from 'react-i18next';
import { APPROVAL_ACTS, type TwoPeople } from '@answer-evidence/contracts';
import { useSayTwoPeople } from './use-say-two-people.ts';

/** Times for a decision that are offered, in seconds: from an hour to 30 days. */
const TIMES = [3_600, 86_400, 3 * 86_400, 7 * 86_400, 30 * 86_400];

type Props = { readonly value: TwoPeople; readonly onChange: (value: TwoPeople) => void };

/** Which acts need a second person, and for how long one is waited for. */
export function TwoPeopleField({ value, onChange }: Props) {
  const { t } = useTranslation();
  const { sayTime } = useSayTwoPeople();
  const { acts, expires_within: within, exports_above: above = 0 } = value;
  const times = TIMES.includes(within) ? TIMES : [...TIMES, within];
  return (
    <Stack gap="sm">
      <Checkbox.Group
        label={t('settings.answer_audit_two_people')}
        description={t('twoPeople.text')}
        value={[...acts]}
        onChange={(chosen) => onChange({ ...value, acts: APPROVAL_ACTS.filter((act) => chosen.includes(act)) })}
      >
        <Stack gap="xs" mt="xs">
          {APPROVAL_ACTS.map((act) => (
            <Checkbox key={act} value={act} label={t(`approvals.acts.${act}`)} />
          ))}
        </Stack>
      </Checkbox.Group>
      {acts.includes('export') && (
        <NumberInput
          label={t('twoPeople.above')}
          value={above}
          onChange={(count) => onChange({ ...value, exports_above: Number(count) })}
          min={0}
          max={1_000_000}
          allowDecimal={false}
          hideControls
          maw={280}
        />
      )}
      <NativeSelect
        label={t('twoPeople.within')}
        value={String(within)}
        onChange={({ currentTarget }) => onChange({ ...value, expires_within: Number(currentTarget.value) })}
        data={times.map((seconds) => ({ value: String(seconds), label: sayTime(seconds) }))}
        maw={280}
      />
    </Stack>
  );
}
