import { hidesCharacters } from '@answer-evidence/contracts';

/** Longest name that a mail shows, in characters. */
const SHOWN_LENGTH_MAX = 200;
/** What breaks a line, turns what stands around it, is drawn as nothing, or is no character. */
const UNSEEN = /[\p{Cc}\p{Cf}\p{Cs}\p{Zl}\p{Zp}\p{Default_Ignorable_Code_Point}\u2800\u{1D159}]/gu;
const CONTROLS = /[\p{Cc}\p{Cs}]/u;

/**
 * A name of somebody else's choice, for one line of a mail: cut where it is long, and with its number in the place of
 * each character that nobody sees, so that it stays in its line and looks like no other name.
 */
export function shownLine(name: string): string {
  const characters = [...name];
  const cut = characters.length > SHOWN_LENGTH_MAX ? `${characters.slice(0, SHOWN_LENGTH_MAX - 1).join('')}…` : name;
  if (!CONTROLS.test(cut) && !hidesCharacters(cut)) return cut;
  return cut.replace(UNSEEN, (character) => `\\u{${character.codePointAt(0)?.toString(16) ?? ''}}`);
}
