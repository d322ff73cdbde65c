import * as z from 'zod';
import { mailTerms } from '@answer-evidence/contracts';
import { parseJsonText, readOr } from '@answer-evidence/encoding';

const [HOUR_MICROS, DAY_MICROS] = [3_600_000_000, 86_400_000_000];
const terms = z.object(mailTerms.shape);

/**
 * When a delivery is due that is told now: at once, or with the digest that comes next, at a full hour (UTC). What a
 * damaged row cannot say any more holds nothing back.
 */
export function digestDueAt(mailJson: string | null, nowMicros: number): number {
  const { digest, hour } = readTerms(mailJson);
  if (digest === 'at_once') return nowMicros;
  if (digest === 'hourly') return (Math.floor(nowMicros / HOUR_MICROS) + 1) * HOUR_MICROS;
  const today = Math.floor(nowMicros / DAY_MICROS) * DAY_MICROS + (hour ?? 0) * HOUR_MICROS;
  return today > nowMicros ? today : today + DAY_MICROS;
}

function readTerms(mailJson: string | null): Pick<z.infer<typeof terms>, 'digest' | 'hour'> {
  const read = terms.safeParse(mailJson === null ? undefined : readOr(() => parseJsonText(mailJson), undefined));
  return read.success ? read.data : { digest: 'at_once', hour: null };
}
