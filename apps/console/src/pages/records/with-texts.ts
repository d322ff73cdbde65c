import type { AnswerRecord } from '@answer-evidence/contracts';

type Part = AnswerRecord['question'];

/** The record with the texts that were revealed earlier, as far as they are still stored. */
export function withTexts(record: AnswerRecord, revealed: AnswerRecord | null): AnswerRecord {
  if (revealed?.id !== record.id) return record;
  return {
    ...record,
    question: withText(record.question, revealed.question),
    answer: withText(record.answer, revealed.answer),
    events: record.events?.map((event) => {
      const known = revealed.events?.find(({ id }) => id === event.id)?.corrected_answer ?? null;
      return event.corrected_answer === null || known === null
        ? event
        : { ...event, corrected_answer: withText(event.corrected_answer, known) };
    }),
  };
}

function withText<P extends Pick<Part, 'text' | 'text_state'>>(part: P, known: Pick<Part, 'text'>): P {
  return part.text_state === 'stored' && part.text === null ? { ...part, text: known.text } : part;
}
