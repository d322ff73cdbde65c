/** What stands between two pieces of text, from weak to strong. */
type Break = '' | ' ' | '\n' | '\n\n';

const STRENGTH: readonly Break[] = ['', ' ', '\n', '\n\n'];
/** White space as HTML collapses it; a no-break space is not one. */
const SPACE = /[ \t\n\r\f]+/g;

/** Joins pieces of text with the strongest break that was asked for between them. */
type TextCollector = {
  add(piece: string, isPreformatted: boolean): void;
  breakBefore(kind: Break): void;
  finish(): string;
};

/** Collects text without breaks at its ends. */
export function createTextCollector(): TextCollector {
  const pieces: string[] = [];
  let pending: Break = '';
  /** What came since the last break and is to be collapsed, in one go: a parser may give it character by character. */
  let run = '';
  const push = (piece: string): void => {
    if (pieces.length > 0) pieces.push(pending);
    pending = '';
    pieces.push(piece);
  };
  const strengthen = (kind: Break): void => {
    if (STRENGTH.indexOf(kind) > STRENGTH.indexOf(pending)) pending = kind;
  };
  const flush = (): void => {
    if (run === '') return;
    const collapsed = run.replace(SPACE, ' ');
    run = '';
    if (collapsed.startsWith(' ')) strengthen(' ');
    const text = collapsed.slice(collapsed.startsWith(' ') ? 1 : 0, collapsed.endsWith(' ') ? -1 : undefined);
    if (text !== '') push(text);
    if (collapsed.endsWith(' ')) strengthen(' ');
  };
  return {
    breakBefore(kind) {
      flush();
      strengthen(kind);
    },
    add(piece, isPreformatted) {
      if (!isPreformatted) {
        run += piece;
        return;
      }
      flush();
      push(piece);
    },
    finish() {
      flush();
      return pieces.join('');
    },
  };
}
