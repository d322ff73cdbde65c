/** Longest segment that the service makes, in UTF-16 code units. */
export const SEGMENT_LENGTH_MAX = 2_000;
/** Most segments of an asset. */
export const SEGMENTS_MAX = 2_000;

/** How paragraphs of a text are told apart. In Markdown, blank lines inside of a fenced block separate nothing. */
export type SegmentedTextKind = 'plain' | 'markdown';

const LINE_END = /\r\n?/g;
/** The first code unit that is no white space and no control character, and the last one of ASCII. */
const [SOLID_MIN, SOLID_MAX] = [0x21, 0x7f];
/** CommonMark 4.5: text after a fence's opening backticks has no backticks itself, else it is inline code. */
const FENCE = /^ {0,3}(`{3,}(?=[^`]*$)|~{3,})/;

/**
 * Splits a text into segments: each paragraph (what stands between blank lines) is one, and a longer one than 2,000
 * UTF-16 code units is cut there, never within a character as readers see it (a grapheme cluster; one that is itself
 * longer is cut between code points). Lines of a paragraph are joined by "\n"; white space at the ends of a paragraph
 * is left as it is, but for the line ends. When that makes more than `SEGMENTS_MAX`, neighbours are joined by an empty
 * line while they fit into one segment together. Empty when the text has nothing but white space, or when there are too
 * many even so: then the asset is to have one segment.
 */
export function splitSegments(text: string, kind: SegmentedTextKind): string[] {
  const graphemes = new Intl.Segmenter('und', { granularity: 'grapheme' });
  const segments: string[] = [];
  for (const paragraph of splitParagraphs(text, kind))
    if (paragraph.length <= SEGMENT_LENGTH_MAX) segments.push(paragraph);
    else segments.push(...cutParagraph(paragraph, graphemes));
  return segments.length <= SEGMENTS_MAX ? segments : (joinNeighbours(segments) ?? []);
}

/** Line by line without a list of the lines: a text of a megabyte may have half a million of them. */
function splitParagraphs(text: string, kind: SegmentedTextKind): string[] {
  const normal = text.replace(LINE_END, '\n');
  const paragraphs: string[] = [];
  let fence: string | undefined;
  /** Where the open paragraph begins; undefined between paragraphs. */
  let start: number | undefined;
  const close = (end: number): void => {
    // A fence that is never closed may hold blank lines only.
    if (start !== undefined && !isBlank(normal, start, end)) paragraphs.push(normal.slice(start, end));
    start = undefined;
  };
  for (let at = 0, end = 0; at <= normal.length; at = end + 1) {
    end = normal.indexOf('\n', at);
    if (end === -1) end = normal.length;
    if (kind === 'markdown') fence = nextFence(fence, normal.slice(at, end));
    if (fence === undefined && isBlank(normal, at, end)) close(at - 1);
    else start ??= at;
  }
  close(normal.length);
  return paragraphs;
}

function isBlank(text: string, start: number, end: number): boolean {
  if (start >= end) return true;
  const first = text.charCodeAt(start);
  return (first < SOLID_MIN || first > SOLID_MAX) && text.slice(start, end).trim() === '';
}

/** The open fence after a line. CommonMark closes it with a line of only the same character, at least as many. */
function nextFence(open: string | undefined, line: string): string | undefined {
  const mark = FENCE.exec(line)?.[1];
  if (mark === undefined) return open;
  if (open === undefined) return mark;
  return mark[0] === open[0] && mark.length >= open.length && line.trim() === mark ? undefined : open;
}

function cutParagraph(paragraph: string, graphemes: Intl.Segmenter): string[] {
  const pieces: string[] = [];
  let rest = paragraph;
  while (rest.length > SEGMENT_LENGTH_MAX) {
    const end = findCut(rest, graphemes);
    pieces.push(rest.slice(0, end));
    rest = rest.slice(end);
  }
  pieces.push(rest);
  // Of a long run of white space a piece may be nothing else.
  return pieces.filter((piece) => piece.trim() !== '');
}

/** The last grapheme cluster boundary within the limit; a code point boundary when one cluster exceeds the limit. */
function findCut(text: string, graphemes: Intl.Segmenter): number {
  // Two code units more: a character beyond the limit, of one unit or two, may belong to the one before.
  const window = text.slice(0, SEGMENT_LENGTH_MAX + 2);
  const cut = graphemes.segment(window).containing(SEGMENT_LENGTH_MAX)?.index ?? 0;
  if (cut > 0) return cut;
  const last = text.charCodeAt(SEGMENT_LENGTH_MAX - 1);
  return last >= 0xd800 && last <= 0xdbff ? SEGMENT_LENGTH_MAX - 1 : SEGMENT_LENGTH_MAX;
}

/** Undefined when there are too many even so. */
function joinNeighbours(segments: readonly string[]): string[] | undefined {
  const joined: string[] = [];
  let [first, length] = [0, -2];
  for (const [n, segment] of segments.entries()) {
    if (length + 2 + segment.length <= SEGMENT_LENGTH_MAX) {
      length += 2 + segment.length;
      continue;
    }
    if (joined.push(segments.slice(first, n).join('\n\n')) === SEGMENTS_MAX) return undefined;
    [first, length] = [n, segment.length];
  }
  return [...joined, segments.slice(first).join('\n\n')];
}
