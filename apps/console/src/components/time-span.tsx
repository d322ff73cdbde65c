import { useTranslation } from 'react-i18next';
import { formatTimeSpan } from './format-time-span.ts';

type Props = {
  /** When it begins. */
  readonly from: string;
  /** When it is over, which is not part of it. */
  readonly to: string;
};

/** A span of time, in days of UTC where it is made of those. */
export function TimeSpan({ from, to }: Props) {
  const { i18n } = useTranslation();
  const span = formatTimeSpan(from, to, i18n.language);
  if (span === undefined) return <bdi>{`${from} – ${to}`}</bdi>;
  return (
    <time dateTime={from} title={`${from} – ${to}`}>
      {span}
    </time>
  );
}
