export { formatSubmission, type Submission } from './format-submission.ts';
export type { RekorLog } from './log-key.ts';
export { parseLogKeys } from './parse-log-keys.ts';
export { readResponse } from './read-response.ts';
export { RekorError } from './rekor-error.ts';
export { verifyEntry, type VerifiedEntry } from './verify-entry.ts';
export { verifyHead } from './verify-head.ts';
