/** Promises answers in a folder while the service is unavailable, says the key of each, and goes on living. */
import { AnswerEvidence } from '../index.ts';

const [folder = '', count = ''] = process.argv.slice(2);
const evidence = new AnswerEvidence({
  application: 'support-bot',
  url: 'http://127.0.0.1:9',
  token: 't',
  queue: { folder },
  onError: () => undefined,
});
await Promise.all(
  Array.from({ length: Number(count) }, async (_, n) => {
    const { idempotencyKey } = await evidence.record({ question: `question ${n}`, answer: `answer ${n}` });
    process.stdout.write(`${idempotencyKey}\n`);
  }),
);
process.stdout.write('promised\n');
setInterval(() => undefined, 1_000);
