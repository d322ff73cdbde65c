import { ServiceError } from '@answer-evidence/contracts';
import { LogKeyError } from '@answer-evidence/ports';

/** What a log line may say of an error. */
type ErrorDescription = {
  readonly name: string;
  readonly code?: string;
  readonly message?: string;
  readonly frames: readonly string[];
  readonly cause?: ErrorDescription;
};

/** Codes of Node, of PostgreSQL and of S3; anything else might be made of submitted text. */
const CODE = /^[A-Za-z0-9_]{1,60}$/;
/** The words with which Redis begins its errors; what follows may quote a command. */
const REDIS_WORDS: ReadonlySet<string> = new Set([
  ...['ASK', 'BUSY', 'BUSYGROUP', 'BUSYKEY', 'CLUSTERDOWN', 'CROSSSLOT', 'ERR', 'EXECABORT', 'FAILOVER', 'LOADING'],
  ...['MASTERDOWN', 'MISCONF', 'MOVED', 'NOAUTH', 'NOGOODSLAVE', 'NOPERM', 'NOPROTO', 'NOREPLICAS', 'NOSCRIPT', 'OOM'],
  ...['READONLY', 'TRYAGAIN', 'UNKILLABLE', 'WRONGPASS', 'WRONGTYPE'],
]);
const NAME = /^[A-Za-z]{1,60}$/;
const FRAMES_MAX = 20;
const CAUSES_MAX = 3;

/**
 * An error for a log line: its name, its code and its stack frames, and the message only of our own `ServiceError` and
 * `LogKeyError`, which tells the operator what to change. Other messages and properties quote what they failed on (a
 * driver puts rows into `detail`, a parser its input), so they are dropped.
 */
export function describeError(error: unknown): ErrorDescription {
  return describe(error, CAUSES_MAX);
}

function describe(error: unknown, causesMax: number): ErrorDescription {
  // A plain word is the name of an error that somebody chose to log alone.
  if (typeof error === 'string' && NAME.test(error)) return { name: error, frames: [] };
  if (!(error instanceof Error)) return { name: typeof error, frames: [] };
  const code = codeOf(error);
  return {
    name: NAME.test(error.name) ? error.name : 'Error',
    ...(code === undefined ? {} : { code }),
    ...(error instanceof ServiceError || error instanceof LogKeyError ? { message: error.message } : {}),
    frames: stackFrames(error),
    ...(error.cause !== undefined && causesMax > 0 ? { cause: describe(error.cause, causesMax - 1) } : {}),
  };
}

/** What an operator looks the error up by: its code, or the first word of an error of Redis. */
function codeOf(error: Error): string | undefined {
  const code: unknown = 'code' in error ? error.code : undefined;
  if (typeof code === 'string' && CODE.test(code)) return code;
  const [word = ''] = error.message.split(' ', 1);
  return error.name === 'ReplyError' && REDIS_WORDS.has(word) ? word : undefined;
}

/** The stack begins with the message, which may itself hold lines that look like frames; they start only after it. */
function stackFrames(error: Error): readonly string[] {
  const stack = error.stack ?? '';
  const messageAt = stack.indexOf(error.message);
  if (messageAt < 0) return [];
  return stack
    .slice(messageAt + error.message.length)
    .split('\n')
    .filter((line) => line.startsWith('    at '))
    .slice(0, FRAMES_MAX)
    .map((line) => line.trim());
}
