import { ApiError, MismatchError, UnreachableError } from '@answer-evidence/client';
import type { Context } from './context.ts';
import { EXIT, type ExitCode } from './exit-codes.ts';
import { UsageError } from './usage-error.ts';

/** Says on standard error what went wrong, without secrets, and chooses the exit code. */
export function reportError(error: unknown, context: Context): ExitCode {
  const say = (line: string) => context.note(context.hideSecrets(line));
  if (error instanceof UsageError) {
    say(`error: ${error.message}`);
    return EXIT.usage;
  }
  if (error instanceof UnreachableError) {
    say(`error: ${error.message}`);
    return EXIT.unreachable;
  }
  if (error instanceof MismatchError) {
    say(`error: ${error.message}`);
    say(
      '  nothing of it was used: something in between, or the service, responds to one request with the response to another',
    );
    say('  whether the request took effect is unknown; repeating it with the same idempotency key is safe');
    return EXIT.failed;
  }
  if (error instanceof ApiError) {
    say(`error: ${error.message}`);
    // Most messages contain the first one.
    for (const { pointer, detail } of error.problem?.errors ?? [])
      if (!error.message.includes(`${pointer}: ${detail}`)) say(`  ${pointer}: ${detail}`);
    if (error.status === 401 && (error.problem === null || error.problem.code === 'unauthenticated'))
      say('  the token was altered or belongs to another host; the request was not retried');
    if (error.problem !== null) say(`  request ${error.problem.request_id}`);
    return EXIT.failed;
  }
  say(`unexpected error: ${error instanceof Error ? `${error.name}: ${error.message}` : 'no description'}`);
  return EXIT.failed;
}
