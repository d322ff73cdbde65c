import type { TextDoor } from '@answer-evidence/ports';

/**
 * The door of a request that leaves no entry by itself. A caller may want records without the texts of question, answer
 * and corrections (`Service-Texts: withheld`): the console sends it for each browser, and a person reads the texts by
 * `POST …/reveal`, which the log names. `ownEventId`: of the event that the request wrote, no secret from its author.
 */
export function textDoorOf(request: { header(name: string): string | undefined }, ownEventId?: string): TextDoor {
  return request.header('service-texts') === 'withheld'
    ? { texts: 'withheld', exceptEventId: ownEventId }
    : { texts: 'shown', vouchedBy: null };
}
