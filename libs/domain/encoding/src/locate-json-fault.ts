/** One token of RFC 8259 that is no string: punctuation, or another value. */
const TOKEN = /([{}[\],:])|(?:-?(?:0|[1-9]\d*)(?:\.\d+)?(?:[eE][+-]?\d+)?|true|false|null)(?![\w.+-])/y;
const SPACE = /[ \t\r\n]*/y;
/** What may follow the backslash of an escape. */
const ESCAPE = /["\\/bfnrt]|u[0-9a-fA-F]{4}/y;

/** What may come next. `item` and `name` follow an opening bracket, so that the closing one may follow, too. */
type State = 'value' | 'item' | 'name' | 'next name' | 'colon' | 'comma' | 'end';

const EXPECTED: Readonly<Record<State, string>> = {
  value: 'a value is expected',
  item: 'a value or a closing bracket is expected',
  name: 'a member name in double quotes is expected',
  'next name': 'a member name in double quotes is expected',
  colon: 'a colon is expected',
  comma: 'a comma or a closing bracket is expected',
  end: 'nothing may follow the document',
};

/** Says of bytes or a text that are no JSON document where they stop being one, and what was expected there. */
export function locateJsonFault(document: Uint8Array | string): string {
  let text: string;
  try {
    text =
      typeof document === 'string'
        ? document
        : new TextDecoder('utf-8', { fatal: true, ignoreBOM: true }).decode(document);
  } catch {
    return 'it is not UTF-8; encode it again';
  }
  if (text.startsWith('\u{feff}')) return 'it begins with a byte order mark; leave it out';
  const [at, state] = findFault(text);
  const before = text.slice(0, at).split('\n');
  const place = `line ${before.length}, column ${(before.at(-1)?.length ?? 0) + 1}`;
  return `${describeFault(text[at], state)} at ${place}`;
}

function describeFault(character: string | undefined, state: State): string {
  if (character === '"' && state !== 'end' && state !== 'comma' && state !== 'colon')
    return 'the string is not closed, or contains what must be escaped,';
  if (character === "'") return 'double quotes are expected in place of single ones';
  if (character === '/') return 'JSON has no comments: leave out the one';
  return EXPECTED[state];
}

/** Where the first token is that cannot stand there, and what could. */
function findFault(text: string): readonly [at: number, state: State] {
  const open: string[] = [];
  let state: State = 'value';
  let at = 0;
  for (;;) {
    SPACE.lastIndex = at;
    const start = at + (SPACE.exec(text)?.[0].length ?? 0);
    const token = readToken(text, start);
    const next: State | undefined =
      token === undefined ? undefined : follow(state, token.mark, text[start] === '"', open);
    if (token === undefined || next === undefined) return [start, state];
    state = next;
    at = token.end;
  }
}

/** The token that begins there, with the mark that it is, if any; undefined where none does. */
function readToken(text: string, start: number): { readonly end: number; readonly mark: string } | undefined {
  if (text[start] === '"') {
    const end = findStringEnd(text, start + 1);
    return end === undefined ? undefined : { end, mark: '' };
  }
  TOKEN.lastIndex = start;
  const token = TOKEN.exec(text);
  return token === null ? undefined : { end: TOKEN.lastIndex, mark: token[1] ?? '' };
}

/** Behind the closing quote. By hand: an expression remembers each escape of a string, and a body can be one string. */
function findStringEnd(text: string, from: number): number | undefined {
  for (let at = from; at < text.length; at++) {
    const code = text.charCodeAt(at);
    if (code === 0x22) return at + 1;
    if (code < 0x20) return undefined;
    if (code !== 0x5c) continue;
    ESCAPE.lastIndex = at + 1;
    if (!ESCAPE.test(text)) return undefined;
    at = ESCAPE.lastIndex - 1;
  }
  return undefined;
}

/** The state after a token, or undefined where it may not stand; `open` holds the brackets that are not closed yet. */
function follow(state: State, mark: string, isString: boolean, open: string[]): State | undefined {
  const closes = (mark === '}' && open.at(-1) === '{') || (mark === ']' && open.at(-1) === '[');
  if (closes && (state === 'comma' || state === 'item' || state === 'name')) {
    open.pop();
    return open.length === 0 ? 'end' : 'comma';
  }
  if (state === 'colon') return mark === ':' ? 'value' : undefined;
  if (state === 'name' || state === 'next name') return isString ? 'colon' : undefined;
  if (state === 'comma') return mark !== ',' ? undefined : open.at(-1) === '{' ? 'next name' : 'value';
  if (state === 'end' || (mark !== '' && mark !== '{' && mark !== '[')) return undefined;
  if (mark === '') return open.length === 0 ? 'end' : 'comma';
  open.push(mark);
  return mark === '{' ? 'name' : 'item';
}
