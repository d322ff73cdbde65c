/** Somebody else changed the record while a dialog about it was open. */
export class ChangedMeanwhileError extends Error {
  override readonly name = 'ChangedMeanwhileError';
}
