import { UsageError } from './usage-error.ts';

const FIELDS: ReadonlyMap<string, string> = new Map([
  ['id', 'source_ref_id'],
  ['name', 'source_name'],
  ['hash', 'source_hash'],
  ['type', 'source_type'],
  ['trace', 'trace_id'],
]);

/** Reads `name=faq.md,hash=sha256:…`; a comma separates only before the next field, so that names may hold one. */
export function parseSource(option: string): Readonly<Record<string, string>> {
  const source: Record<string, string> = {};
  for (const part of option.split(/,(?=(?:id|name|hash|type|trace)=)/)) {
    const [, name, value] = /^([a-z]+)=(.+)$/s.exec(part) ?? [];
    const field = FIELDS.get(name ?? '');
    if (field === undefined || value === undefined) {
      throw new UsageError(
        '--source must look like name=faq.md,hash=sha256:…, with the fields id, name, hash, type and trace',
      );
    }
    if (source[field] !== undefined) throw new UsageError(`--source contains ${name ?? field} twice`);
    source[field] = value;
  }
  return source;
}
