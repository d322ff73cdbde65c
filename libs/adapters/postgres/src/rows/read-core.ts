import { parseJsonText } from '@answer-evidence/encoding';
import { StoredDamageError } from '@answer-evidence/ports';

/** A core that decides something while it is read. Throws `StoredDamageError` for what the service never wrote. */
export function readCore<Core>(schema: { parse(value: unknown): Core }, json: string, what: string): Core {
  try {
    return schema.parse(parseJsonText(json));
  } catch (error) {
    throw new StoredDamageError(`${what} cannot be read`, { cause: error });
  }
}
