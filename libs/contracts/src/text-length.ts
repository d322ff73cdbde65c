import * as z from 'zod';

/**
 * A check of a text: at most so many UTF-16 code units, as the formats count. `max` of the schema library counts code
 * points, of which an emoji is one and not two, and so does `maxLength` of JSON Schema, which this publishes: a text of
 * that many code points may still be too long.
 */
export function atMost(
  lengthMax: number,
  message = `must be at most ${lengthMax} characters`,
): z.core.$ZodCheck<string> {
  const judge = z.check<string>(({ value, issues }) => {
    if (value.length <= lengthMax) return;
    const inclusive = true;
    issues.push({ code: 'too_big', origin: 'string', maximum: lengthMax, inclusive, message, input: value });
  });
  judge._zod.onattach.push(({ _zod: { bag } }) => (bag['maximum'] = lengthMax));
  return judge;
}
