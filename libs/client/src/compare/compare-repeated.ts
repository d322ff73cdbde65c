import type { RecordFilters } from '@answer-evidence/contracts';
import { below, type Differences, differencesOf } from './differences.ts';

/** Of a request, the version that it is about, and when that one was made: the response has the next one. */
const OWN: readonly string[] = ['version', 'updated_at'];

/**
 * What a response repeats of a request, such as the name of a token that was asked for: texts, numbers, true and false.
 * A member that the response does not have, and one that was sent as null, is not compared.
 */
export function compareRepeated(sent: object, shown: object): Differences {
  const repeated = new Map<string, unknown>(Object.entries(shown));
  return Object.entries(sent).flatMap(([name, value]: [string, unknown]) => {
    if (OWN.includes(name) || !repeated.has(name) || value === null || typeof value === 'object') return [];
    return differencesOf({ [`/${name}`]: [value, repeated.get(name)] });
  });
}

/** Each item of a list with the filters that were asked for. */
export function compareItems(filters: object, { items }: { readonly items: readonly object[] }): Differences {
  return items.flatMap((item, n) => below(`/items/${n}`, compareRepeated(filters, item)));
}

/** The lines of an export with the filters that were asked for; lines that are not JSON differ. */
export function compareLines(
  { application_key: application, environment }: Pick<RecordFilters, 'application_key' | 'environment'>,
  content: Uint8Array,
): Differences {
  if (application === undefined && environment === undefined) return [];
  const lines = new TextDecoder().decode(content).split('\n').slice(0, -1);
  return lines.flatMap((line, n) =>
    below(`/${n}`, compareRepeated({ application_key: application, environment }, readObject(line))),
  );
}

function readObject(line: string): object {
  try {
    return Object(JSON.parse(line)) as object;
  } catch {
    return { application_key: null, environment: null };
  }
}
