import type { AnswerEvidence } from './answer-evidence.ts';
import { chatCompletions } from './observe/openai-chat.ts';
import { responses } from './observe/openai-responses.ts';
import { findMember, watchClient } from './observe/watch-client.ts';
import { watchMethod } from './observe/watch-method.ts';

/**
 * Records the answers of an OpenAI client: of chat completions and of responses, whole, parsed and streamed, with
 * tools. Returns the same client, which works as before. Observed again, it is recorded once, by the evidence that was
 * named last.
 */
export function observe<Client extends object>(client: Client, evidence: AnswerEvidence): Client {
  return watchClient(client, evidence, (watched, recorder) => {
    watchMethod(findMember(watched, 'chat', 'completions'), 'create', recorder, chatCompletions);
    watchMethod(findMember(watched, 'responses'), 'create', recorder, responses);
  });
}
