import type { AnswerEvidence } from './answer-evidence.ts';
import { messages } from './observe/anthropic-messages.ts';
import { findMember, watchClient } from './observe/watch-client.ts';
import { watchMethod } from './observe/watch-method.ts';

/**
 * Records the answers of an Anthropic client: of messages, whole, parsed and streamed, with tools. Returns the same
 * client, which works as before. Observed again, it is recorded by the evidence that was named last, and once.
 */
export function observe<Client extends object>(client: Client, evidence: AnswerEvidence): Client {
  return watchClient(client, evidence, (watched, recorder) => {
    for (const path of [[], ['beta']])
      watchMethod(findMember(watched, ...path, 'messages'), 'create', recorder, messages);
  });
}
