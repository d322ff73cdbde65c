import { useTranslation } from 'react-i18next';

const MINUTE_MS = 60_000;
const UNITS = [
  ['day', 1_440],
  ['hour', 60],
  ['minute', 1],
] as const;

/** How long ago a time was, with the time in UTC beside it; hovering shows it in the reader's zone. */
export function RelativeTime({ at }: { readonly at: string }) {
  const { i18n } = useTranslation();
  const date = new Date(at);
  if (Number.isNaN(date.getTime())) return <bdi>{at}</bdi>;
  const { language } = i18n;
  const minutes = Math.round((date.getTime() - Date.now()) / MINUTE_MS);
  const [unit, size] = UNITS.find(([, each]) => Math.abs(minutes) >= each) ?? (['minute', 1] as const);
  const ago = new Intl.RelativeTimeFormat(language, { numeric: 'auto' }).format(Math.round(minutes / size), unit);
  const local = new Intl.DateTimeFormat(language === 'en' ? 'en-GB' : language, {
    dateStyle: 'medium',
    timeStyle: 'long',
  }).format(date);
  return (
    <time dateTime={at} title={local}>
      {ago} <span className="muted">{`${at.slice(11, 19)} UTC`}</span>
    </time>
  );
}
