import { expect, it } from '@jest/globals';
import { stateInWords } from './state-in-words.ts';

// Every object has a member of the last name.
it.each(['lost', 'constructor'])('a text in the state %s is in one that the page does not know', (state) => {
  const commitment = { text_state: state };
  const bundle = { record: { core: { question: commitment, answer: commitment } } };
  expect(stateInWords(bundle).join('\n')).toContain(
    'The text of the question is in a state that this page does not know.',
  );
});
