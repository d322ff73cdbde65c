const ESCAPES: Readonly<Record<string, string>> = { n: '\n', t: '\t', r: '\r' };

/** How Python shows a text. */
export const STRING = String.raw`'(?:[^'\\]|\\.)*'|"(?:[^"\\]|\\.)*"`;
const TEXT_MEMBER = /'text': (?:'((?:[^'\\]|\\.)*)'|"((?:[^"\\]|\\.)*)")/s;
const TEXT_MEMBERS = new RegExp(String.raw`'(\w+)': (${STRING})(?:, |\}$)`, 'sy');

/** What Python's `repr` of a dict says that its member `text` is, if that is a text. */
export function findPrintedText(dict: string): string | undefined {
  const [, single, double] = TEXT_MEMBER.exec(dict) ?? [];
  return unescape(single ?? double);
}

/** The texts in what Python shows a flat dict of texts as; undefined for anything else. Takes time linear in it. */
export function readPrintedTexts(given: string): ReadonlyMap<string, string> | undefined {
  const text = given.trim();
  const found = new Map<string, string>();
  let at = text.startsWith('{') ? 1 : text.length;
  while (at < text.length) {
    TEXT_MEMBERS.lastIndex = at;
    const [, name, literal] = TEXT_MEMBERS.exec(text) ?? [];
    if (name === undefined || literal === undefined) return undefined;
    found.set(name, unescape(literal.slice(1, -1)) ?? '');
    at = TEXT_MEMBERS.lastIndex;
  }
  return found.size === 0 || !text.endsWith('}') ? undefined : found;
}

/** The text of such a literal, without its quotes. */
export function unescape(literal: string): string;
export function unescape(literal: string | undefined): string | undefined;
export function unescape(literal: string | undefined): string | undefined {
  return literal?.replaceAll(/\\(?:x([\da-f]{2})|u([\da-f]{4})|U([\da-f]{8})|(.))/gis, (_, x, u, wide, other) => {
    const code: unknown = x ?? u ?? wide;
    if (typeof code === 'string') return formatCode(Number.parseInt(code, 16));
    return ESCAPES[String(other)] ?? String(other);
  });
}

function formatCode(code: number): string {
  return code > 0x10ffff ? '' : String.fromCodePoint(code);
}

/**
 * Whether a text is how nothing is written, or how Python shows an object, cut off or not: `null`, `Name(member=…)`,
 * `<module.Name object at 0x…>`, `{'member': …}`, `[Name(member=…`, `member='…' other=…`.
 */
export function isPrinted(given: string): boolean {
  const text = given.trimStart();
  return isPrintedObject(text) || PRINTED_MEMBERS.test(text);
}

/** Whether a text is how Python shows a list of several objects of a kind: `[Name(member=…), Name(member=…`. */
export function isPrintedList(text: string): boolean {
  const [, name] = /^\[([A-Z]\w*)\(\w+=/.exec(text) ?? [];
  return name !== undefined && text.includes(`), ${name}(`);
}

/** The members of an object alone, as Python may show it. */
const PRINTED_MEMBERS = new RegExp(
  [
    // No name is longer, and a text may begin with a word of a megabyte.
    String.raw`^[a-z_]\w{0,99}=(?:`,
    [
      String.raw`(?:${STRING}|None|True|False|-?[\d.]+|\[\]|\{\}) [a-z_]\w*=`,
      `(?:${STRING})$`,
      String.raw`[[(]+[A-Z]\w*\(\w+=`,
      String.raw`[[(]*\{'\w+': `,
    ].join('|'),
    ')',
  ].join(''),
  's',
);

function isPrintedObject(text: string): boolean {
  return /^null$|^<?[A-Z]\w*\(\w+=|^<[\w.]+(?: object(?: [\w.]+)? at 0x|\()|^[[(]*\{'\w+': |^[[(]+[A-Za-z_][\w.]*\(\w+=/.test(
    text,
  );
}

/** Whether something stands behind an object at the beginning, as where somebody asks what a line of code does. */
export function isFollowed(text: string): boolean {
  let depth = 0;
  let quote = '';
  for (let at = 0; at < text.length; at += 1) {
    const character = text.charAt(at);
    if (quote !== '') {
      if (character === '\\') at += 1;
      else if (character === quote) quote = '';
    } else if (depth > 0 && (character === "'" || character === '"')) quote = character;
    else if ('([{'.includes(character)) depth += 1;
    else if (')]}'.includes(character)) {
      depth -= 1;
      if (depth === 0) return /[\p{L}\p{N}]/u.test(text.slice(at + 1));
    }
  }
  return false;
}
