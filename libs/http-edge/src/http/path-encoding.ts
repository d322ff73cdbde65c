import { ServiceError } from '@answer-evidence/contracts';

/** Whether percent-encodings are those of characters, as RFC 3986 section 2.5 has them. */
export function isUtf8(encoded: string): boolean {
  try {
    decodeURIComponent(encoded);
    return true;
  } catch (error) {
    if (error instanceof URIError) return false;
    throw error;
  }
}

/**
 * The refusal of a path of which the router could not decode a parameter. `templates`: the paths that there are, in the
 * order in which they are tried.
 */
export function refusePathEncoding(templates: readonly string[], path: string): ServiceError {
  const segments = path.split('/');
  const bad = segments.findIndex((segment) => !isUtf8(segment));
  const name = templates.flatMap((template) => findParameter(template.split('/'), segments, bad) ?? [])[0];
  const fault = 'contains a percent-encoding that is not UTF-8';
  const remedy = 'encode it as UTF-8, and % itself as %25';
  return new ServiceError('malformed_request', `the path ${fault}; ${remedy}`, {
    errors: name === undefined ? [] : [{ pointer: `{${name}}`, detail: `${fault}; ${remedy}` }],
  });
}

/** The name of the parameter at a place of a path, if the path is of this template. */
function findParameter(template: readonly string[], segments: readonly string[], place: number): string | undefined {
  const end = template.findIndex((part) => part.startsWith('{+'));
  if (end < 0 ? template.length !== segments.length : segments.length <= end) return undefined;
  const isMatch = template.every((part, n) => part.startsWith('{') || part === segments[n]);
  return isMatch ? template[end < 0 ? place : Math.min(place, end)]?.replace(/[{}+]/g, '') : undefined;
}
