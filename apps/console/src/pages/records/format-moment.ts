import { regionOf } from '../../components/region-of.ts';
import { nameControls } from '../../components/split-controls.ts';

/** A time to the minute, in the reader's zone, within a sentence or a title; what is no time stands as it is. */
export function formatMoment(at: string, language: string): string {
  const date = new Date(at);
  if (Number.isNaN(date.getTime())) return nameControls(at);
  const style = { dateStyle: 'medium', timeStyle: 'short' } as const;
  return new Intl.DateTimeFormat(regionOf(language), style).format(date);
}
