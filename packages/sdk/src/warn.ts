import { writeSync } from 'node:fs';
import type { EvidenceError } from './errors.ts';

/** A warning of the process. One that ends has no turn left in which it would be shown. */
export function warn({ name, code, message }: EvidenceError): void {
  const isEnding = Reflect.get(process, '_exiting') === true;
  if (isEnding) writeSync(process.stderr.fd, `(answer-evidence) [${code}] ${name}: ${message}\n`);
  else process.emitWarning(message, { type: name, code });
}

/** Calls a function of the application, whose fault is not to stop the queue. */
export function callBack(call: () => void): void {
  try {
    call();
  } catch (error) {
    const name = error instanceof Error ? error.name : typeof error;
    process.emitWarning(`a callback of AnswerEvidence threw ${name}`, { type: 'EvidenceError', code: 'callback' });
  }
}
