import { type DestinationStream, type Logger, pino } from 'pino';
import { describeError } from './describe-error.ts';
import { openLogDestination } from './log-destination.ts';

export type { Logger } from 'pino';

/** How much is logged. */
type LogLevel = 'fatal' | 'error' | 'warn' | 'info' | 'debug' | 'trace' | 'silent';

/** Keys whose values never reach a line, anyone who logs them: on the object itself or one level down. */
const SECRET_KEYS = ['authorization', 'cookie', 'token', 'secret', 'password', 'headers', 'body', 'text', 'url'];

/** A logger of one JSON object per line. Errors, anywhere in it, are described without messages of others. */
export function createLogger(options: { readonly level: LogLevel; readonly destination: DestinationStream }): Logger {
  return pino(
    {
      level: options.level,
      base: undefined,
      timestamp: () => `,"time":"${new Date().toISOString()}"`,
      formatters: { level: (label) => ({ level: label }) },
      serializers: { err: describeError, error: describeError },
      redact: { paths: SECRET_KEYS.flatMap((name) => [name, `*.${name}`]), censor: '[redacted]' },
      hooks: {
        logMethod(args, method) {
          const [first, ...rest] = args;
          // pino would take the error's message as the line's when the line has none.
          if (isError(first)) method.apply(this, [{ err: first }, rest.length > 0 ? String(rest[0]) : 'error']);
          else if (rest.length === 0 && holdsError(first)) method.apply(this, [first, 'error']);
          else method.apply(this, args);
        },
      },
    },
    options.destination,
  );
}

/** The logger of a process, on standard output. `lostLines`: how many lines could not be written so far. */
export function openLogger(level: LogLevel): { readonly logger: Logger; lostLines(): number } {
  const destination = openLogDestination((lines) => {
    logger.warn({ lines }, 'the log could not be written for a while; these lines were dropped');
  });
  const logger = createLogger({ level, destination });
  return { logger, lostLines: () => destination.lostLines };
}

function isError(value: unknown): value is Error {
  return value instanceof Error;
}

function holdsError(value: unknown): value is { readonly err: unknown } {
  return typeof value === 'object' && value !== null && 'err' in value;
}
