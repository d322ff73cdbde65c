import { findNearest } from '@answer-evidence/contracts/nearest-name';
import type { Route } from '@answer-evidence/routes';

/** What a request to a wrong place is told. */
export type PathHints = {
  /** Of a path at which nothing is. */
  describeMissing(path: string): string;
  /** Of a described path that does not take the method. */
  describeMethod(path: string, method: string | undefined, allow: string): string;
};

const PATH_LENGTH_MAX = 300;
const SEGMENTS_MAX = 10;
/** Fewer segments than this may be missing or too many. */
const SLIPS_END = 2;
const PARAMETER_SLIPS = 0.05;
/** A word too many says more about what was meant than one that is missing. */
const SURPLUS_SLIPS = 1.2;
/** What a path may lack without a word being missing. */
const ROOT = 'api';
const ELSEWHERE_MAX = 3;
/** So many words at the end of a path say which one is meant. */
const END_WORDS_MIN = 2;
/** What others serve at such paths, and where it is here. */
const ELSEWHERE: readonly (readonly [RegExp, string])[] = [
  [/^\/(livez|readyz|metrics)\/?$/, 'ask for it at the port of the metrics (SERVICE_METRICS_PORT)'],
  [/\/v1\/(metrics|profiles)\/?$/, 'OTLP is accepted for two signals: send only traces and logs'],
];

/** Hints over the described routes. They are made of the public description alone, so strangers may have them. */
export function createPathHints(described: readonly Pick<Route, 'method' | 'path'>[]): PathHints {
  const templates = [...new Set(described.map(({ path }) => path))].map((path) => ({ path, segments: split(path) }));
  const segments = templates.flatMap((template) => template.segments);
  const literals = [...new Set(segments.filter((segment) => !isParameter(segment)))];

  function findMeant(path: string): string | undefined {
    const given = path.length > PATH_LENGTH_MAX ? [] : split(path);
    if (given.length === 0 || given.length > SEGMENTS_MAX) return undefined;
    const wanted = given.map((segment) => findNearest(segment, literals) ?? segment);
    return findClosest(wanted) ?? findClosest([ROOT, ...wanted]) ?? findSameEnd(wanted);
  }

  /** By the last words, as exporters append them to whatever address they were given. */
  function findSameEnd(wanted: readonly string[]): string | undefined {
    for (let first = 0; first <= wanted.length - END_WORDS_MIN; first++) {
      const end = `/${wanted.slice(first).join('/')}`;
      const found = templates.find(({ path }) => path.endsWith(end));
      if (found !== undefined) return found.path;
    }
    return undefined;
  }

  function findClosest(wanted: readonly string[]): string | undefined {
    let closest: string | undefined;
    let least = SLIPS_END;
    for (const { path, segments } of templates) {
      const slips = sharesWords(wanted, segments) ? countSlips(wanted, segments) : SLIPS_END;
      if (slips >= least) continue;
      least = slips;
      closest = path;
    }
    return closest;
  }

  return {
    describeMissing(path) {
      const elsewhere = ELSEWHERE.find(([pattern]) => pattern.test(path));
      const meant = elsewhere === undefined ? findMeant(path) : undefined;
      // `{+name}` is a name that may contain slashes (RFC 6570 section 3.2.3), which only templates need to say.
      const question = meant === undefined ? undefined : `did you mean ${meant.replace('{+', '{')}?`;
      const advice = elsewhere?.[1] ?? question ?? 'see GET /api/openapi.json for every path';
      return `no resource exists at this path; ${advice}`;
    },
    describeMethod(path, method, allow) {
      const elsewhere = described
        .filter((route) => route.method === method && (isBelow(route.path, path) || isBelow(path, route.path)))
        .map((route) => route.path)
        .slice(0, ELSEWHERE_MAX);
      const hint = elsewhere.length === 0 ? '' : `; ${method ?? ''} is supported at ${elsewhere.join(', ')}`;
      return `this path supports only ${allow}${hint}`;
    },
  };
}

function split(path: string): readonly string[] {
  return path.split('/').filter((segment) => segment !== '');
}

function isBelow(path: string, above: string): boolean {
  return path.startsWith(`${above}/`);
}

function isParameter(segment: string): boolean {
  return segment.startsWith('{');
}

/** Less for a word in its place than for a parameter, which anything fits. */
function replacementOf(segment: string, expected: string): number {
  if (segment === expected) return 0;
  return isParameter(expected) ? PARAMETER_SLIPS : 2;
}

/** Whether enough of the template was written for it to be meant: two of its words, where it has two. */
function sharesWords(wanted: readonly string[], template: readonly string[]): boolean {
  const words = template.filter((segment) => !isParameter(segment));
  return words.filter((word) => wanted.includes(word)).length >= Math.min(2, words.length);
}

/** Segments to add, to leave out or to replace (which is two) until the path fits the template (Levenshtein). */
function countSlips(wanted: readonly string[], template: readonly string[]): number {
  let above = template.map((_, n) => n);
  above.push(template.length);
  for (const [n, segment] of wanted.entries()) {
    const row = [(n + 1) * SURPLUS_SLIPS];
    for (const [m, expected] of template.entries()) {
      const replaced = (above[m] ?? 0) + replacementOf(segment, expected);
      row.push(Math.min(replaced, (above[m + 1] ?? 0) + SURPLUS_SLIPS, (row[m] ?? 0) + 1));
    }
    above = row;
  }
  return above[template.length] ?? 0;
}
