import { useTranslation } from 'react-i18next';
import { howLongAgo } from './how-long-ago.ts';
import { regionOf } from './region-of.ts';

/** How long ago a time was, with the time in UTC beside it; hovering shows it in the reader's zone. */
export function RelativeTime({ at }: { readonly at: string }) {
  const { i18n } = useTranslation();
  const date = new Date(at);
  if (Number.isNaN(date.getTime())) return <bdi>{at}</bdi>;
  const { language } = i18n;
  const ago = new Intl.RelativeTimeFormat(language, { numeric: 'auto' }).format(
    ...howLongAgo(date.getTime(), Date.now()),
  );
  const local = new Intl.DateTimeFormat(regionOf(language), {
    dateStyle: 'medium',
    timeStyle: 'long',
  }).format(date);
  return (
    <time dateTime={at} title={local}>
      {ago} <span className="muted">{`${at.slice(11, 19)} UTC`}</span>
    </time>
  );
}
