/** Characters that act on a terminal or change how text reads: controls, line separators, direction overrides. */
const ACTING = /[\p{Cc}\u061c\u200e\u200f\u2028-\u202e\u2066-\u2069\ufeff]/gu;
const BREAKS = /[\t\n\v\f\r\u0085\u2028\u2029]+/gu;

/** The text on one line, without any character that acts on the terminal. Records are written by strangers. */
export function formatTerminalText(text: string): string {
  return text.replace(BREAKS, ' ').replace(ACTING, '');
}

/** The text without what acts on the terminal; its lines stay lines. */
export function formatTerminalLines(text: string): string {
  return text.split('\n').map(formatTerminalText).join('\n');
}

/** JSON for programs, harmless also when a person looks at it: the same characters stand as escapes. */
export function formatJsonText(value: unknown): string {
  return formatJson(value, 2);
}

/** The same on one line. */
export function formatJsonLine(value: unknown): string {
  return formatJson(value, 0);
}

function formatJson(value: unknown, indent: number): string {
  const escaped = JSON.stringify(value, null, indent).replace(ACTING, (character) =>
    character === '\n' ? character : `\\u${character.charCodeAt(0).toString(16).padStart(4, '0')}`,
  );
  return `${escaped}\n`;
}
