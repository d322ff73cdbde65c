import { describeFailure } from './describe-failure.ts';
import type { Reply, Request } from './messages.ts';
import { openTokenSession, type TokenSession } from './token-session.ts';

/**
 * The program that has the library of a token in it. It does one thing after another, and blocks while the token works.
 * Anyone who waited too long ends it; it ends by itself with the process that started it.
 */
let session: TokenSession | undefined;

process.on('message', (request: Request) => {
  process.send?.(answer(request));
});
process.on('disconnect', () => process.exit());
// Signals to the group of the service end the service, which then ends this.
for (const signal of ['SIGINT', 'SIGTERM', 'SIGHUP'] as const) process.on(signal, () => undefined);

function answer(request: Request): Reply {
  try {
    if (request.do !== 'open') {
      if (session === undefined) throw new Error('CKR_SESSION_CLOSED');
      return { result: session.answer(request) };
    }
    session = openTokenSession(request.place);
    return { result: undefined };
  } catch (error) {
    return { failure: describeFailure(error) };
  }
}
