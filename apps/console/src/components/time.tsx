import { useTranslation } from 'react-i18next';

type Props = { readonly at: string };

/** A time in the reader's zone. Hovering shows UTC as the service stated it, and a screen reader finds both. */
export function Time({ at }: Props) {
  const { i18n } = useTranslation();
  const date = new Date(at);
  if (Number.isNaN(date.getTime())) return <bdi>{at}</bdi>;
  // Of the reader's own region, where it speaks the language of the page.
  const region = navigator.languages.find((tag) => tag.startsWith(i18n.language)) ?? i18n.language;
  const local = new Intl.DateTimeFormat(region, { dateStyle: 'medium', timeStyle: 'medium' }).format(date);
  return (
    <time dateTime={at} title={`${at.replace('T', ' ').replace(/Z$/, '')} UTC`}>
      {local}
    </time>
  );
}
