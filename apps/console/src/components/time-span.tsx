import { useTranslation } from 'react-i18next';

const DAY_MS = 86_400_000;

type Props = {
  /** When it begins. */
  readonly from: string;
  /** When it is over, which is not part of it. */
  readonly to: string;
};

/** A span of time: by its days where it is made of whole days of UTC, with times in the reader's zone otherwise. */
export function TimeSpan({ from, to }: Props) {
  const { i18n } = useTranslation();
  const [start, end] = [Date.parse(from), Date.parse(to)];
  if (Number.isNaN(start) || Number.isNaN(end) || end <= start) return <bdi>{`${from} – ${to}`}</bdi>;
  const isDays = start % DAY_MS === 0 && end % DAY_MS === 0;
  const format = new Intl.DateTimeFormat(
    i18n.language,
    isDays ? { dateStyle: 'medium', timeZone: 'UTC' } : { dateStyle: 'medium', timeStyle: 'short' },
  );
  return (
    <time dateTime={from} title={`${from} – ${to}`}>
      {format.formatRange(start, isDays ? end - DAY_MS : end)}
      {isDays && ' UTC'}
    </time>
  );
}
