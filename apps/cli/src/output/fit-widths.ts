import truncatedWidth from 'fast-string-truncated-width';

const GAP = 2;
/** A column is not made narrower than this. */
const WIDTH_MIN = 8;
/** What is of no use in part, since people copy it. */
const WHOLE = /^(?:[0-9a-f]{8}(?:-[0-9a-f]{4}){3}-[0-9a-f]{12}|\d+)$/;

/**
 * Widths with which the columns of a table fit into `width`: the widest are cut first. Columns of ids and numbers keep
 * theirs. Where that is not enough the table is wider than the terminal.
 */
export function fitWidths(
  natural: readonly number[],
  lines: readonly (readonly string[])[],
  width: number,
): readonly number[] {
  const isWhole = natural.map((_, column) => lines.some((line) => WHOLE.test(line[column] ?? '')));
  const widths = natural.map((one, column) => (isWhole[column] === true ? one : Math.min(one, width)));
  const excess = () => widths.reduce((sum, one) => sum + one, GAP * (widths.length - 1)) - width;
  while (excess() > 0) {
    const widest = widths.reduce(
      (most, one, column) => (isWhole[column] !== true && one > (widths[most] ?? 0) ? column : most),
      -1,
    );
    const found = widths[widest];
    if (found === undefined || found <= WIDTH_MIN) break;
    widths[widest] = found - 1;
  }
  return widths;
}

/** The text in at most `width` columns; a text that is cut ends in an ellipsis. */
export function shorten(text: string, width: number): string {
  const { index, ellipsed } = truncatedWidth(text, { limit: width, ellipsis: '…', ellipsisWidth: 1 });
  return ellipsed ? `${text.slice(0, index)}…` : text;
}
