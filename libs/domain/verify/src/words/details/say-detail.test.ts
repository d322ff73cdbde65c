import { readdirSync, readFileSync } from 'node:fs';
import { describe, expect, it } from '@jest/globals';
import { isKnownDetail, sayDetail } from './say-detail.ts';

const VERIFIER = new URL('../../', import.meta.url);
/** What makes a detail, with its first argument. */
const MAKES = /\b(?:pass|skip|notApplicable|new CheckFailure|assertSame)\(\s*(?=['"`])/g;

/** What a copy of a log is refused with is no detail of a check. */
const NO_CHECKS = 'copy-tiles.ts';

/** Every detail that the sources of the verifier write as one text, with a word at the place of each value. */
function listDetails(): readonly string[] {
  const files = readdirSync(VERIFIER, { recursive: true, encoding: 'utf8' });
  return (
    files
      .filter((name) => name.endsWith('.ts') && !name.includes('.test.') && !name.startsWith('words/'))
      .filter((name) => name !== NO_CHECKS)
      .flatMap((name) => {
        const source = readFileSync(new URL(name, VERIFIER), 'utf8');
        return [...source.matchAll(MAKES)].map((found) => {
          const text = readLiteral(source, found.index + found[0].length);
          return found[0].includes('assertSame') ? `${text} does not have the expected value` : text;
        });
      })
      // What stands at these places is a sentence of its own.
      .filter((text) => !/^(?:value )+$|^value$/.test(text))
  );
}

/** The text of a literal that begins at a place of a source; a value in it is the word `value`. */
function readLiteral(source: string, from: number): string {
  const quote = source.charAt(from);
  let text = '';
  for (let at = from + 1; source.charAt(at) !== quote; at++) {
    if (quote === '`' && source.startsWith('${', at)) {
      let depth = 0;
      do {
        if (source.charAt(at) === '{') depth++;
        if (source.charAt(at) === '}') depth--;
        at++;
      } while (depth > 0 || source.charAt(at - 1) === '$');
      at--;
      text += 'value';
    } else if (source.charAt(at) === '\\') text += source.charAt(++at);
    else text += source.charAt(at);
  }
  return text;
}

describe('the details of checks', () => {
  it('are all in the German catalogue', () => {
    const details = listDetails();
    expect(details.length).toBeGreaterThan(150);
    // A value at the end may be empty.
    const isKnown = (text: string) => isKnownDetail(text) || isKnownDetail(text.replace(/value$/, ''));
    expect(details.filter((text) => !isKnown(text))).toEqual([]);
  });

  it.each([
    ['the text of the answer matches its commitment', 'Antwort: Der Text passt zu seinem Hash'],
    [
      'the commitment to the corrected answer of event 2 does not have the expected value',
      'Bindung an: berichtigte Antwort von Ereignis 2: hat nicht den erwarteten Wert',
    ],
    ['signed by the pinned key of this tree size', 'signiert von dem angehefteten Schlüssel dieser Baumgröße'],
    ['signed by 2 pinned keys of this tree size', 'signiert von 2 angehefteten Schlüsseln dieser Baumgröße'],
    [
      'the receipt is valid; the log has grown since, and whether the log extends its tree of 7 leaves needs the log',
      'die Quittung gilt; das Log ist seither gewachsen, und ob das Log ihren Baum von 7 Blättern fortsetzt, sagt nur das Log',
    ],
    [
      'the text of the answer is not available: an event of the record redacted it (2 such parts)',
      'Antwort: Der Text ist nicht da; ein Ereignis der Aufzeichnung schwärzte ihn (2 solche Teile)',
    ],
    ['tsa has not confirmed this checkpoint (1 needed)', 'tsa hat diesen Prüfpunkt nicht bestätigt (1 nötig)'],
    [
      'tsa has not confirmed this checkpoint; old is not pinned by the trust file (1 needed)',
      'tsa hat diesen Prüfpunkt nicht bestätigt; old ist in der Vertrauensdatei nicht angeheftet (1 nötig)',
    ],
    [
      'a: its token leads to the pinned root, renewed by b at 2029-06-01, good until 2035-01-01 (1 needed)',
      'a: Sein Zeitstempel führt zur angehefteten Wurzel, erneuert durch b am 2029-06-01, gültig bis 2035-01-01 (1 nötig)',
    ],
    [
      'a was renewed too late: b covered the token of a at 2031, after a certificate ended at 2030 (1 needed)',
      'a wurde zu spät erneuert: b umfasste den Zeitstempel von a am 2031, nachdem ein Zertifikat am 2030 endete (1 nötig)',
    ],
    [
      'the reason of event 1 is missing, and no leaf explains why',
      'Begründung von Ereignis 1: fehlt, und kein Blatt erklärt, warum',
    ],
  ])('%s', (english, german) => {
    expect(sayDetail(english, 'de')).toBe(german);
    expect(sayDetail(english, 'en')).toBe(english);
  });

  it('that nobody knows stand as they are, whatever is in them, and cost little', () => {
    for (const text of ['', 'something else', '{1}', 'the text of {1} matches', '; '.repeat(900), 'a'.repeat(100_000)])
      expect(sayDetail(text, 'de')).toBe(text);
  });
});
