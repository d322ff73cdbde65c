import { useTranslation } from 'react-i18next';
import { regionOf } from './region-of.ts';

type Props = { readonly at: string };

/** A time in the reader's zone. Hovering shows UTC as the service stated it, and a screen reader finds both. */
export function Time({ at }: Props) {
  const { i18n } = useTranslation();
  const date = new Date(at);
  if (Number.isNaN(date.getTime())) return <bdi>{at}</bdi>;
  const local = new Intl.DateTimeFormat(regionOf(i18n.language), { dateStyle: 'medium', timeStyle: 'medium' }).format(
    date,
  );
  return (
    <time dateTime={at} title={`${at.replace('T', ' ').replace(/Z$/, '')} UTC`}>
      {local}
    </time>
  );
}
