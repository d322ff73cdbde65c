export { formatBase64, formatBase64Url, parseBase64, parseBase64Url } from './base64.ts';
export { concatBytes, equalBytes, utf8 } from './bytes.ts';
export { canonicalize } from './canonicalize.ts';
export { type CsvCell, formatCsvLine } from './csv.ts';
export { parseDateTime, readDateTime } from './date-time.ts';
export { EncodingError } from './encoding-error.ts';
export { formatHex, parseHex } from './hex.ts';
export { JSON_DEPTH_MAX, JSON_SMALL_LENGTH, JSON_VALUES_MAX, JsonError } from './json-error.ts';
export type { JsonErrorCode } from './json-error.ts';
export type { JsonObject, JsonValue } from './json-value.ts';
export { type JsonOutline, parseForeignJsonText } from './parse-foreign-json.ts';
export { formatJsonLine } from './json-line.ts';
export { asObject, itemsOf, memberOf } from './members.ts';
export { locateJsonFault } from './locate-json-fault.ts';
export { parseJson, parseJsonText, parseSubmittedJson } from './parse-json.ts';
export { readOr } from './read-or.ts';
export {
  formatTime,
  formatTimestamp,
  isTimestamp,
  MICROS_PER_DAY,
  MICROS_PER_SECOND,
  parseTimestamp,
} from './timestamp.ts';
export { trimSlashes } from './trim-slashes.ts';
export { createUuidV7, formatUuid, isUuid } from './uuid.ts';
