export type { Certificate } from './certificate.ts';
export { parsePinnedCertificates, readPinnedCertificates } from './pins.ts';
export { assertRevocationList } from './revocation-list.ts';
export { formatEvidenceRecord } from './evidence-record.ts';
export { formatTimestampRequest, type TimestampRequest } from './request.ts';
export { TimestampError, type TimestampFault } from './timestamp-error.ts';
export { formatOcspRequests, type OcspRequest } from './ocsp-request.ts';
export { describeOcspFault } from './ocsp-response.ts';
export { extractToken, readListAddresses } from './token.ts';
export {
  type TimestampExpectation,
  type VerifiedTimestamp,
  verifyTimestamp,
  verifyTimestampOver,
} from './verify-timestamp.ts';
