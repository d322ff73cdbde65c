import type { IncomingHttpHeaders } from 'node:http';
import { ServiceError } from '@answer-evidence/contracts';

/** A body in a coding that is not supported; `accepted` are those that are (RFC 7694, section 3). */
export class CodingNotSupportedError extends ServiceError {
  readonly accepted: 'gzip' | 'identity';

  constructor(accepted: CodingNotSupportedError['accepted'], detail: string) {
    super('media_type_not_supported', detail);
    this.accepted = accepted;
  }
}

/** Whether the headers announce a body in gzip. Throws for another coding (RFC 9110, section 8.4.1), or several. */
export function isGzip({ 'content-encoding': coding }: IncomingHttpHeaders): boolean {
  switch (coding?.trim().toLowerCase()) {
    case undefined:
    case '':
    case 'identity':
      return false;
    case 'gzip':
    case 'x-gzip':
      return true;
    default:
      throw new CodingNotSupportedError('gzip', 'gzip is the only supported Content-Encoding; use it or none');
  }
}

/** Throws `media_type_not_supported` unless the body is JSON in UTF-8. `orForm`: a form is valid, too. */
export function assertJsonBody({ 'content-type': type }: IncomingHttpHeaders, orForm = false): void {
  if (type !== 'application/json' && (type === undefined || !isJsonInUtf8(type))) {
    const types = `application/json in UTF-8${orForm ? ', or multipart/form-data' : ''}`;
    throw new ServiceError('media_type_not_supported', `the body must be ${types}`);
  }
}

/** Throws `media_type_not_supported` unless the headers announce one of these media types; parameters are let pass. */
export function assertMediaType(headers: IncomingHttpHeaders, types: readonly string[]): void {
  const [essence = ''] = (headers['content-type'] ?? '').toLowerCase().split(';');
  if (types.includes(essence.trim())) return;
  throw new ServiceError('media_type_not_supported', `the body must be ${types.join(' or ')}`);
}

/** RFC 9110 section 8.3.1; parameters other than `charset` say nothing about JSON and are let pass. */
function isJsonInUtf8(type: string): boolean {
  const [essence = '', ...parameters] = type.toLowerCase().split(';');
  if (essence.trim() !== 'application/json') return false;
  return parameters.every((parameter) => {
    const [name = '', value = ''] = parameter.split('=', 2);
    if (name.trim() !== 'charset') return true;
    const charset = value.trim();
    return charset === 'utf-8' || charset === '"utf-8"';
  });
}
