import type { OtlpItem } from '@answer-evidence/otlp-mapping';

/** What goes wrong with one item on its way. */
export const FAULTS = {
  none: (item: OtlpItem) => [item],
  'it is lost': () => [],
  'it is sent twice': (item: OtlpItem) => [item, item],
  'its texts are cut off': (item: OtlpItem) => [changed(item, (value) => value.slice(0, value.length / 2))],
  'its texts have a NUL': (item: OtlpItem) => [changed(item, (value) => value.replaceAll('Q', 'Q\\u0000'))],
  'its texts are empty': (item: OtlpItem) => [changed(item, () => '')],
  'an attribute has two values': (item: OtlpItem) => [
    {
      ...item,
      attributes: item.attributes.flatMap(({ key, value }) => [
        { key, value },
        { key, value: `other ${key}` },
      ]),
    },
  ],
  'its resource names no application': (item: OtlpItem) => [{ ...item, resource: { attributes: [] } }],
  'its parent is of another process': (item: OtlpItem) => [
    { ...item, ...(item.kind === 'span' && { parentIsRemote: true }) },
  ],
  'it failed': (item: OtlpItem) => [{ ...item, ...(item.kind === 'span' && { statusCode: 2 }) }],
} satisfies Readonly<Record<string, (item: OtlpItem) => readonly OtlpItem[]>>;

function changed(item: OtlpItem, change: (value: string) => string): OtlpItem {
  const attributes = item.attributes.map(({ key, value }) => ({
    key,
    value: typeof value === 'string' && value.length > 30 ? change(value) : value,
  }));
  return { ...item, attributes };
}
