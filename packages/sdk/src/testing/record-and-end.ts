/** Records answers and ends as it is told: by itself, by a signal, or by a handler of its own for the signal. */
import { AnswerEvidence } from '../index.ts';

const [url = '', end] = process.argv.slice(2);
const evidence = new AnswerEvidence({
  application: 'support-bot',
  url,
  token: 't',
  onError: ({ message }) => process.stderr.write(`${message}\n`),
});
if (end === 'own-handler') process.once('SIGTERM', () => void evidence.close().then(() => process.exit(7)));
for (let n = 0; n < 20; n += 1) await evidence.record({ question: `question ${n}`, answer: 'yes' });
if (end !== undefined) {
  setInterval(() => undefined, 1_000);
  process.kill(process.pid, 'SIGTERM');
}
