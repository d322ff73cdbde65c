import type { JsonValue } from '@answer-evidence/contracts';
import { asObject, isTimestamp, JsonError, parseJsonText } from '@answer-evidence/encoding';
import { type PackPart, PARTS_MAX, scanParts } from './scan-parts.ts';

/** A record of a pack: a text that may be a bundle, or why the pack has none to show. */
export type PackBundle = { readonly name: string } & ({ readonly text: string } | { readonly fault: string });

/** What a pack states of itself. All of it is its maker's word. */
export type PackManifest = {
  readonly madeAt: string;
  readonly origin: string;
  /** The operator's name, what the pack is for and for whom, where it says so. */
  readonly operator: string | undefined;
  readonly purpose: string | undefined;
  readonly recipient: string | undefined;
  /** Where the public page of a record is, by the name of its bundle. */
  readonly links: ReadonlyMap<string, PackLink>;
};

/** A link to the public page of a record. */
export type PackLink = { readonly url: string; readonly expiresAt: string };

/** An evidence pack as it is in its file (docs/formats/pack.md). */
export type Pack = {
  /** Undefined where the part `pack` cannot be read. */
  readonly manifest: PackManifest | undefined;
  /** The text of the part `trust`; undefined where there is not exactly one. */
  readonly trust: string | undefined;
  /** In the order of the list, then what is in the file and not on the list. */
  readonly bundles: readonly PackBundle[];
  /** What is wrong with the pack, apart from single bundles. */
  readonly faults: readonly string[];
};

const FORMAT = 'answer-evidence-pack/v1';
const NAME = /^bundle-[1-9]\d{0,3}$/;
const ODD_NAME = 'the list has a name there that is not bundle-1, bundle-2 and so on';
/** An id that can be shown as it is. */
const SHOWN = /^[A-Za-z0-9_.-]{1,40}$/;

/**
 * Reads a pack from the text of its page; undefined for a text without any part of one. Everything in it that is, or
 * claims to be, a bundle is among `bundles`, so none can be lost on the way: what is missing, doubled, on another place
 * than its name says, or called something else, has a `fault` instead of a text. Of a page with too many parts, none is
 * read, and that is the fault of the pack.
 */
export function readPack(page: string): Pack | undefined {
  const parts = scanParts(page);
  if (parts === undefined)
    return {
      manifest: undefined,
      trust: undefined,
      bundles: [],
      faults: [`the file has more than ${PARTS_MAX} parts`],
    };
  if (!parts.some(isOfPack)) return undefined;
  const list = readList(parts);
  const trust = findOnly(parts, 'trust');
  const claimed = parts.filter(({ id }) => id !== 'pack' && id !== 'trust');
  const places = new Map<string | undefined, number[]>();
  for (const [n, { id }] of claimed.entries()) {
    const known = places.get(id);
    if (known === undefined) places.set(id, [n]);
    else known.push(n);
  }
  const names = list.names ?? [];
  const counts = new Map<JsonValue | undefined, number>();
  for (const name of names) counts.set(name, (counts.get(name) ?? 0) + 1);
  const placesOf = (name: string) => (places.get(name) ?? []).flatMap((n) => claimed[n] ?? []);
  const listed = names.map((name, n): PackBundle => {
    if (typeof name !== 'string' || !NAME.test(name)) return { name: `place ${n + 1}`, fault: ODD_NAME };
    if (counts.get(name) !== 1) return { name, fault: 'the list has its name more than once' };
    if (name !== `bundle-${n + 1}`) return { name, fault: `it is at place ${n + 1} of the list` };
    const found = onlyOf(placesOf(name), name);
    if ('fault' in found) return { name, fault: found.fault };
    const before = places.get(`bundle-${n}`)?.[0] ?? -1;
    if (before > (places.get(name)?.[0] ?? 0)) return { name, fault: `it stands before bundle-${n} in the file` };
    return { name, text: found.text };
  });
  const others = claimed.filter(({ id }) => !counts.has(id)).map((part) => readOther(part, list.names));
  const bundles = [...listed, ...others];
  return {
    manifest: list.manifest,
    trust: 'text' in trust ? trust.text : undefined,
    bundles,
    faults: [
      ...list.faults,
      ...('fault' in trust ? [trust.fault] : []),
      ...(bundles.length === 0 ? ['the pack has no bundle'] : []),
    ],
  };
}

function isOfPack({ id, text }: PackPart): boolean {
  return /^(?:pack|trust|bundle)/i.test(id ?? '') || text.includes('"answer-evidence-');
}

type Found = { readonly text: string } | { readonly fault: string };

/** The one part of an id. */
function findOnly(parts: readonly PackPart[], id: string): Found {
  return onlyOf(
    parts.filter((one) => one.id === id),
    id,
  );
}

function onlyOf([part, ...more]: readonly PackPart[], id: string): Found {
  if (part === undefined) return { fault: `the part "${id}" is missing` };
  if (more.length > 0) return { fault: `the part "${id}" is in the file ${more.length + 1} times` };
  if (part.fault !== undefined) return { fault: `the part "${id}" cannot be read: ${part.fault}` };
  return { text: part.text };
}

type List = {
  readonly manifest: PackManifest | undefined;
  /** Undefined where nobody can tell what the list has. */
  readonly names: readonly JsonValue[] | undefined;
  readonly faults: readonly string[];
};

function readList(parts: readonly PackPart[]): List {
  const found = findOnly(parts, 'pack');
  if ('fault' in found) return noList(found.fault);
  let value: JsonValue;
  try {
    value = parseJsonText(found.text);
  } catch (error) {
    if (!(error instanceof JsonError)) throw error;
    return noList(`the part "pack" is not JSON: ${error.message}`);
  }
  if (typeof value !== 'object' || value === null || Array.isArray(value))
    return noList('the part "pack" is not an object');
  const stated = value as Readonly<Record<string, JsonValue>>;
  const { format, made_at: madeAt, origin, bundles } = stated;
  if (format !== FORMAT) return noList(`the part "pack" does not name the format ${FORMAT}`);
  if (!Array.isArray(bundles)) return noList('the part "pack" has no list of bundles');
  if (bundles.length > PARTS_MAX) return noList(`the list has more than ${PARTS_MAX} names`);
  const isStated = typeof madeAt === 'string' && isTimestamp(madeAt) && typeof origin === 'string';
  return {
    manifest: isStated ? { madeAt, origin, ...readCover(stated) } : undefined,
    names: bundles,
    faults: isStated ? [] : ['the part "pack" does not say when and from which log it was made'],
  };
}

/** What stands on the cover. What has another form is left out: it is the maker's word, and no check reads it. */
function readCover(stated: Readonly<Record<string, JsonValue>>): Omit<PackManifest, 'madeAt' | 'origin'> {
  const textOf = (name: string) => {
    const text = stated[name];
    return typeof text === 'string' && text !== '' ? text : undefined;
  };
  return {
    operator: textOf('operator'),
    purpose: textOf('purpose'),
    recipient: textOf('recipient'),
    links: new Map(Object.entries(asObject(stated['links'])).flatMap(([name, link]) => readLink(name, asObject(link)))),
  };
}

const LINK = /^https?:\/\/[!-~]{1,500}$/;

function readLink(name: string, { url, expires_at: at }: Readonly<Record<string, JsonValue>>) {
  const isLink = typeof url === 'string' && LINK.test(url) && typeof at === 'string' && isTimestamp(at);
  return isLink ? [[name, { url, expiresAt: at }] as const] : [];
}

function noList(fault: string): List {
  return { manifest: undefined, names: undefined, faults: [`${fault}: which bundles the pack has is not known`] };
}

/** Without a list a good part is read as it is: that the list is missing is a fault of the pack. */
function readOther({ id, text, fault }: PackPart, names: List['names']): PackBundle {
  const name = id !== undefined && SHOWN.test(id) ? id : 'a part without a readable id';
  if (fault !== undefined) return { name, fault: `the part cannot be read: ${fault}` };
  return names === undefined && NAME.test(name) ? { name, text } : { name, fault: 'the part is not on the list' };
}
