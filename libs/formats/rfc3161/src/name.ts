import { type DerNode, TAG } from './der.ts';

/** Short names of the attributes that authorities use (RFC 4519). */
const SHORT_NAMES: Readonly<Record<string, string>> = {
  '2.5.4.3': 'CN',
  '2.5.4.6': 'C',
  '2.5.4.7': 'L',
  '2.5.4.8': 'ST',
  '2.5.4.10': 'O',
  '2.5.4.11': 'OU',
};
const TEXT_TAGS: readonly number[] = [TAG.utf8String, TAG.printableString, TAG.ia5String];
const VALUE_BYTES_MAX = 256;

/**
 * A distinguished name for people, such as `O=Example, CN=Time`, in its own order. Only printable ASCII stays, because
 * the owner of the name chose the rest. To compare names, compare their bytes instead.
 */
export function describeName(name: DerNode): string {
  const parts: string[] = [];
  for (const relative of name.children) {
    for (const attribute of relative.children) {
      const [type, value] = attribute.children;
      const shortName = SHORT_NAMES[type?.oid ?? ''];
      if (shortName === undefined || value === undefined || !TEXT_TAGS.includes(value.tag)) continue;
      const text = new TextDecoder().decode(value.content.subarray(0, VALUE_BYTES_MAX));
      parts.push(`${shortName}=${text.replace(/[^ -~]/gu, '?')}`);
    }
  }
  return parts.join(', ');
}
