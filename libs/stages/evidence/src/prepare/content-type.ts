import type { EvidenceKind } from '@answer-evidence/contracts';
import type { ContentSniffer } from '@answer-evidence/ports';
import type { InspectedContent } from './inspect-content.ts';

/** A map, because the name of a file may end with that of a member that every object has. */
const TEXT_BY_EXTENSION: ReadonlyMap<string, string> = new Map([
  ['txt', 'text/plain'],
  ['md', 'text/markdown'],
  ['markdown', 'text/markdown'],
  ['html', 'text/html'],
  ['htm', 'text/html'],
  ['csv', 'text/csv'],
  ['json', 'application/json'],
  ['xml', 'application/xml'],
  ['yaml', 'application/yaml'],
  ['yml', 'application/yaml'],
]);
/** The type of bytes that tell nothing. */
const UNKNOWN = 'application/octet-stream';
const OF_TEXT = /^(text\/.+|application\/(.+\+)?(json|xml|yaml))$/;

/**
 * What a content is. Its bytes decide where they tell; of texts they say no more than that they are such, so there the
 * caller's word counts as far as it is one for texts, then the name's extension. Whatever else is stated of bytes that
 * tell nothing is not believed.
 */
export async function decideContentType(
  sniffer: ContentSniffer,
  content: InspectedContent,
  stated: { readonly contentType: string | undefined; readonly name: string | undefined },
): Promise<string> {
  const sniffed = await sniffer.sniff(content.head);
  if (sniffed !== undefined && !(content.looksLikeText && OF_TEXT.test(sniffed))) return sniffed;
  if (!content.looksLikeText) return UNKNOWN;
  const essence = essenceOf(stated.contentType);
  if (essence !== undefined && OF_TEXT.test(essence)) return essence;
  const [, extension = ''] = /\.([a-z]+)$/i.exec(stated.name ?? '') ?? [];
  return TEXT_BY_EXTENSION.get(extension.toLowerCase()) ?? sniffed ?? 'text/plain';
}

/** What a caller is told whose type was not kept; undefined where it was, and where none or the unknown one came. */
export function describeOtherType(stated: string | undefined, kept: string | null): string | undefined {
  const essence = essenceOf(stated);
  if (essence === undefined || essence === UNKNOWN || kept === null || essence === kept) return undefined;
  const found = kept === UNKNOWN ? 'the bytes do not have the stated type, nor any known one' : `the bytes are ${kept}`;
  return `${found}; the asset has the type ${kept}, not the stated one; state the type of the bytes`;
}

/** The media type without its parameters, in lower case; undefined for what is not one. */
export function essenceOf(contentType: string | undefined): string | undefined {
  const [essence = ''] = (contentType ?? '').split(';');
  const trimmed = essence.trim().toLowerCase();
  return /^[a-z0-9][a-z0-9!#$&^_.+-]{0,62}\/[a-z0-9][a-z0-9!#$&^_.+-]{0,62}$/.test(trimmed) ? trimmed : undefined;
}

/** What kind of asset an original of this type is. */
export function kindOf(contentType: string): EvidenceKind {
  return /^(image|audio|video)\//.test(contentType) ? 'media' : 'file';
}
