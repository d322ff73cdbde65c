import type { ServiceError } from '@answer-evidence/contracts';

/** The sentence of a problem: what is wrong and, of the first fault, where and why, since many a log drops the list. */
export function formatDetail({ message, errors }: ServiceError): string {
  const [first] = errors;
  return toSentence(first === undefined ? message : `${placed(message, first)}${countMore(errors.length - 1)}`);
}

function placed(message: string, { pointer, detail }: ServiceError['errors'][number]): string {
  const place = pointer === '' ? 'the body' : pointer;
  if (message !== detail) return `${message} at ${place}: ${detail}`;
  return pointer !== '' && detail.startsWith(pointer) ? detail : `${place}: ${detail}`;
}

function countMore(more: number): string {
  return more === 0 ? '' : `; errors lists ${more} more`;
}

/** Capitalised where it begins with a plain word, and closed. */
function toSentence(text: string): string {
  const begun = text.replace(/^[a-z](?=[a-z]* )/, (letter) => letter.toUpperCase());
  return /[.?]$/.test(begun) ? begun : `${begun}.`;
}
