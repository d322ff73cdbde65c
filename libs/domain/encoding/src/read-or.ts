import { EncodingError } from './encoding-error.ts';
import { JsonError } from './json-error.ts';

/** What is read, or `other` where it has no form that is read here. */
export function readOr<Read, Other>(read: () => Read, other: Other): Read | Other {
  try {
    return read();
  } catch (error) {
    if (error instanceof EncodingError || error instanceof JsonError) return other;
    throw error;
  }
}
