import type { Attack } from './attack.ts';
import { ACCESS_ATTACKS } from './attacks/access.ts';
import { DAMAGE_ATTACKS } from './attacks/damage.ts';
import { FLOOD_ATTACKS } from './attacks/floods.ts';
import { FRAMING_ATTACKS } from './attacks/framings.ts';
import { HOSTILE_TEXT_ATTACKS } from './attacks/hostile-texts.ts';
import { LARGE_REQUEST_ATTACKS } from './attacks/large-requests.ts';
import { MANY_PARTS_ATTACKS } from './attacks/many-parts.ts';

/** Every attack, in the order of the table. */
export const ATTACKS: readonly Attack[] = [
  ...ACCESS_ATTACKS,
  ...FRAMING_ATTACKS,
  ...FLOOD_ATTACKS,
  ...HOSTILE_TEXT_ATTACKS,
  ...MANY_PARTS_ATTACKS,
  ...LARGE_REQUEST_ATTACKS,
  ...DAMAGE_ATTACKS,
];
