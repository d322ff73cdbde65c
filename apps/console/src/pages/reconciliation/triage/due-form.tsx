import { Button, Group, TextInput } from '@mantine/core';
import { type FormEvent, useState } from 'react';
import { useTranslation } from 'react-i18next';
import { dayOf, endOfDay } from './due.ts';

type Props = {
  /** By when it is due now; null for at no time. */
  readonly value: string | null;
  readonly isBusy: boolean;
  readonly onChange: (dueAt: string | null) => void;
};

/** By when findings should be resolved: a whole day of UTC. Nothing changes before the button is pressed. */
export function DueForm({ value, isBusy, onChange }: Props) {
  const { t } = useTranslation();
  const before = value === null ? '' : dayOf(value);
  const [day, setDay] = useState(before);
  const submit = (event: FormEvent) => {
    event.preventDefault();
    onChange(endOfDay(day));
  };
  return (
    <form onSubmit={submit}>
      <Group align="end" gap="xs">
        <TextInput
          type="date"
          label={t('triage.dueBy')}
          value={day}
          onChange={(event) => setDay(event.currentTarget.value)}
        />
        <Button type="submit" variant="default" disabled={isBusy || day === '' || day === before}>
          {t('triage.setDue')}
        </Button>
        {value !== null && (
          <Button variant="subtle" disabled={isBusy} onClick={() => onChange(null)}>
            {t('triage.clearDue')}
          </Button>
        )}
      </Group>
    </form>
  );
}
