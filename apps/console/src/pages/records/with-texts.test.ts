import { expect, it } from '@jest/globals';
import type { AnswerRecord } from '@answer-evidence/contracts';
import { withTexts } from './with-texts.ts';

function recordOf(texts: readonly (string | null)[], state = 'stored'): AnswerRecord {
  const part = (n: number) => ({ hash: `h${n}`, hash_key_id: null, text: texts[n] ?? null, text_state: state });
  return {
    id: 'one',
    question: part(0),
    answer: part(1),
    events: [
      { id: 'e1', corrected_answer: null },
      { id: 'e2', corrected_answer: part(2) },
    ],
  } as unknown as AnswerRecord;
}

const WHOLE = recordOf(['asked', 'told', 'right']);

it('has what was revealed of a record that comes again without texts', () => {
  expect(withTexts(recordOf([]), WHOLE)).toEqual(WHOLE);
});

it('never has a text that is gone since, one that was not revealed, or one of another record', () => {
  const redacted = recordOf([], 'redacted');
  expect(withTexts(redacted, WHOLE)).toEqual(redacted);
  expect(withTexts(recordOf([]), null)).toEqual(recordOf([]));
  expect(withTexts(recordOf([]), { ...WHOLE, id: 'two' })).toEqual(recordOf([]));
  expect(withTexts(recordOf(['asked', null, 'new']), recordOf(['old']))).toEqual(recordOf(['asked', null, 'new']));
});
