import { PASSWORD_LENGTH_MAX, PASSWORD_LENGTH_MIN } from '@answer-evidence/contracts';

/** Fewest different characters of a password: below that it is a pattern. */
const DIFFERENT_MIN = 5;
/** What must be left of a password without its user's name. */
const BESIDE_NAME_MIN = 8;

/** What people type when a password must be twelve characters long; compared without case. */
const KNOWN: ReadonlySet<string> = new Set([
  'administrator',
  'changeme1234',
  'correct horse battery staple',
  'correcthorsebatterystaple',
  'iloveyou1234',
  'letmein12345',
  'p@ssw0rd1234',
  'password1234',
  'password12345',
  'password123456',
  'passwordpassword',
  'q1w2e3r4t5y6',
  'qwertyuiop12',
  'qwertyuiop123',
  'qwerty123456',
  'welcome12345',
  '123456789012',
  '1234567890123',
  '1q2w3e4r5t6y',
  'answer-evidence',
]);

/**
 * The form in which passwords are hashed and compared: Unicode normalisation form C (RFC 8265, OpaqueString), because
 * keyboards compose letters differently. Nothing is stripped, folded or cut.
 */
export function normalizePassword(text: string): string {
  return text.normalize('NFC');
}

/** Why a normalised password is not accepted, in a sentence that says nothing of it; undefined when it is. */
export function findPasswordFault(password: string, username: string): string | undefined {
  const characters = [...password];
  if (characters.length < PASSWORD_LENGTH_MIN) return `must be at least ${PASSWORD_LENGTH_MIN} characters long`;
  if (characters.length > PASSWORD_LENGTH_MAX) return `must be at most ${PASSWORD_LENGTH_MAX} characters long`;
  if (new Set(characters).size < DIFFERENT_MIN) return `must have at least ${DIFFERENT_MIN} different characters`;
  const folded = password.toLowerCase();
  if (KNOWN.has(folded)) return 'must not be a common password';
  const rest = folded.replaceAll(username.toLowerCase(), '');
  if (rest !== folded && [...rest].length < BESIDE_NAME_MIN) return 'must not contain only the user name';
  return undefined;
}
