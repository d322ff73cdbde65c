/** A script element of a page that has attributes. The program of a page has none, so each of these is a part. */
export type PackPart = {
  /** The value of its `id`, as it is written; undefined where it has none. */
  readonly id: string | undefined;
  readonly text: string;
  /** Why it is not a part of the format; undefined where it is one. */
  readonly fault: string | undefined;
};

/** A page may not make its readers verify without end. A pack that the service makes has at most 202 parts. */
export const PARTS_MAX = 1_000;

/**
 * Every part that the text of a page has, in its order: also those that are written in another way than the format
 * says, or stand in a comment. A reader that passes over one of these would hide a record, so of a page with more than
 * `PARTS_MAX` none is given.
 */
export function scanParts(page: string): readonly PackPart[] | undefined {
  const parts: PackPart[] = [];
  // Nothing here is written as it stands in a page: within one, it would keep the program from ending.
  const next = /<(!--|script(?=[\t\n\f\r />]))/gi;
  let commentEnd = 0;
  for (let found = next.exec(page); found !== null; found = next.exec(page)) {
    if (found[1] === '!--') {
      // What is in a comment is read as well, so that a part in one is found.
      if (found.index < commentEnd) continue;
      const end = page.indexOf('-->', found.index + 4);
      commentEnd = end < 0 ? page.length : end;
      continue;
    }
    const tag = readTag(page, next.lastIndex);
    const close = findClose(page, tag.end);
    next.lastIndex = close.end;
    if (tag.attributes.size === 0) continue;
    if (parts.length === PARTS_MAX) return undefined;
    const id = tag.attributes.get('id');
    const text = page.slice(tag.end, close.start);
    const isExact =
      page.slice(found.index + 1, tag.end) === `script type="application/json" id="${id}">` &&
      page.slice(close.start, close.end) === '</script>';
    parts.push({ id, text, fault: findFault(text, isExact, found.index < commentEnd) });
  }
  return parts;
}

function findFault(text: string, isExact: boolean, isInComment: boolean): string | undefined {
  if (isInComment) return 'it stands in a comment';
  if (!isExact) return 'its element is not written as the format says';
  return text.includes('<') ? 'it has a "<" that is not escaped' : undefined;
}

/** The end of a script element. Without one, the element is the rest of the page. */
function findClose(page: string, from: number): { readonly start: number; readonly end: number } {
  const close = /<\/script/gi;
  close.lastIndex = from;
  const found = close.exec(page);
  if (found === null) return { start: page.length, end: page.length };
  const end = page.indexOf('>', close.lastIndex);
  return { start: found.index, end: end < 0 ? page.length : end + 1 };
}

type Tag = { readonly attributes: ReadonlyMap<string, string>; readonly end: number };

const SPACE = '\t\n\f\r ';

/** The attributes of a tag, and where it ends, as a browser reads them: quotes of either kind may hold a ">". */
function readTag(page: string, from: number): Tag {
  const attributes = new Map<string, string>();
  const skip = (start: number, characters: string): number => {
    let at = start;
    while (at < page.length && characters.includes(page.charAt(at))) at += 1;
    return at;
  };
  const find = (start: number, characters: string): number => {
    let at = start;
    while (at < page.length && !characters.includes(page.charAt(at))) at += 1;
    return at;
  };
  let at = skip(from, `${SPACE}/`);
  while (at < page.length && page.charAt(at) !== '>') {
    // A "=" that begins a name is a part of it.
    const nameEnd = find(at + 1, `${SPACE}/>=`);
    const name = page.slice(at, nameEnd).toLowerCase();
    let value = '';
    at = skip(nameEnd, SPACE);
    if (page.charAt(at) === '=') {
      at = skip(at + 1, SPACE);
      const quote = page.charAt(at);
      const isQuoted = quote === '"' || quote === "'";
      const end = isQuoted ? find(at + 1, quote) : find(at, `${SPACE}>`);
      value = page.slice(isQuoted ? at + 1 : at, end);
      at = isQuoted ? end + 1 : end;
    }
    if (!attributes.has(name)) attributes.set(name, value);
    at = skip(at, `${SPACE}/`);
  }
  return { attributes, end: Math.min(at + 1, page.length) };
}
