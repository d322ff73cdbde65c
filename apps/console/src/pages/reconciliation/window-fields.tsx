import { Switch, TextInput } from '@mantine/core';
import { useTranslation } from 'react-i18next';
import { dayAfter, lastDayOf, startOfDay, type Window } from './window-of.ts';

/** A time of whole minutes, from which a browser leaves the seconds out. */
const MINUTES_LENGTH = 'yyyy-mm-ddThh:mm'.length;

type Props = {
  readonly value: Window;
  readonly isExact: boolean;
  readonly onExact: (isExact: boolean) => void;
  readonly onChange: (value: Window) => void;
};

/** Which time is compared: whole days, of which the last one is included, or exact times. All of it is UTC. */
export function WindowFields({ value: { start, end }, isExact, onExact, onChange }: Props) {
  const { t } = useTranslation();
  return (
    <>
      {isExact ? (
        <>
          <TimeInput label={t('newRun.start')} value={start} onChange={(next) => onChange({ start: next, end })} />
          <TimeInput label={t('newRun.end')} value={end} onChange={(next) => onChange({ start, end: next })} />
        </>
      ) : (
        <>
          <TextInput
            type="date"
            label={t('newRun.firstDay')}
            value={start.slice(0, 10)}
            onChange={({ currentTarget: { value } }) => onChange({ start: startOfDay(value), end })}
            required
          />
          <TextInput
            type="date"
            label={t('newRun.lastDay')}
            value={lastDayOf(end)}
            onChange={({ currentTarget: { value } }) => onChange({ start, end: dayAfter(value) })}
            required
          />
        </>
      )}
      <Switch
        mb={6}
        checked={isExact}
        onChange={(event) => onExact(event.currentTarget.checked)}
        label={t('newRun.exact')}
      />
    </>
  );
}

type TimeInputProps = {
  readonly label: string;
  /** A time of UTC as RFC 3339 has it, or nothing. */
  readonly value: string;
  readonly onChange: (value: string) => void;
};

/** A time of UTC, to the second. */
function TimeInput({ label, value, onChange }: TimeInputProps) {
  return (
    <TextInput
      type="datetime-local"
      step={1}
      label={label}
      value={value.replace('Z', '')}
      onChange={({ currentTarget: { value: next } }) =>
        onChange(next === '' ? '' : `${next}${next.length === MINUTES_LENGTH ? ':00' : ''}Z`)
      }
      required
    />
  );
}
