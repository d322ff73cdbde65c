/** Where some readers end a line besides at a line feed, such as Python's `splitlines`. */
const LINE_SEPARATORS = /[\u0085\u2028\u2029]/g;

/** A line of JSON Lines with its line feed. Separators within texts are escaped: it is one line to every reader. */
export function formatJsonLine(value: unknown): string {
  const escaped = JSON.stringify(value).replace(
    LINE_SEPARATORS,
    (separator) => `\\u${separator.charCodeAt(0).toString(16).padStart(4, '0')}`,
  );
  return `${escaped}\n`;
}
