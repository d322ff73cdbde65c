import { Parser } from 'htmlparser2';
import type { HtmlReader } from '@answer-evidence/ports';
import { createTextCollector } from './text-collector.ts';

/** Deepest nesting read. Each closing tag searches the open elements: unbounded, a few megabytes take minutes. */
const DEPTH_MAX = 512;
/** Most elements read, where they are also more than one per so many characters: each takes half a microsecond. */
const [ELEMENTS_MAX, ELEMENT_LENGTH_MIN] = [50_000, 20];

/** What stands in these is not text of the document. */
const SKIPPED: ReadonlySet<string> = new Set(['script', 'style', 'template', 'iframe', 'noframes']);
const PREFORMATTED: ReadonlySet<string> = new Set(['pre', 'textarea', 'listing']);
const LINES: ReadonlySet<string> = new Set([
  'br',
  'li',
  'tr',
  'dt',
  'dd',
  'option',
  'summary',
  'figcaption',
  'caption',
]);
const CELLS: ReadonlySet<string> = new Set(['td', 'th']);
const BLOCKS: ReadonlySet<string> = new Set(
  (
    'address article aside blockquote body center details dialog dir div dl fieldset figure footer form h1 h2 h3 h4 h5 h6 head header ' +
    'hgroup hr html listing main menu nav noscript ol optgroup p pre search section select table tbody textarea tfoot thead title ul'
  ).split(' '),
);

/** The document is none that somebody wrote. */
class UnwrittenError extends Error {}

/** Reads HTML by htmlparser2, element by element, without building the document. */
export function createHtmlReader(): HtmlReader {
  return {
    readText(html) {
      const text = createTextCollector();
      const elementsMax = Math.max(ELEMENTS_MAX, html.length / ELEMENT_LENGTH_MIN);
      let elements = 0;
      let depth = 0;
      let skipped = 0;
      let preformatted = 0;
      const breakAround = (name: string): void => {
        if (BLOCKS.has(name)) text.breakBefore('\n\n');
        else if (LINES.has(name)) text.breakBefore('\n');
        else if (CELLS.has(name)) text.breakBefore(' ');
      };
      const parser = new Parser({
        onopentagname(name) {
          if (++depth > DEPTH_MAX || ++elements > elementsMax) throw new UnwrittenError();
          if (SKIPPED.has(name)) skipped++;
          if (PREFORMATTED.has(name)) preformatted++;
          breakAround(name);
        },
        onclosetag(name) {
          depth--;
          if (SKIPPED.has(name)) skipped--;
          if (PREFORMATTED.has(name)) preformatted--;
          breakAround(name);
        },
        ontext(piece) {
          if (skipped === 0) text.add(piece, preformatted > 0);
        },
      });
      try {
        parser.write(html);
        parser.end();
      } catch (error) {
        if (error instanceof UnwrittenError) return null;
        throw error;
      }
      return text.finish();
    },
  };
}
