export type { Certificate } from './certificate.ts';
export { parsePinnedCertificates, readPinnedCertificates } from './pins.ts';
export { formatTimestampRequest, type TimestampRequest } from './request.ts';
export { TimestampError, type TimestampFault } from './timestamp-error.ts';
export {
  type TimestampExpectation,
  type VerifiedTimestamp,
  verifyTimestamp,
  verifyTimestampOver,
} from './verify-timestamp.ts';
