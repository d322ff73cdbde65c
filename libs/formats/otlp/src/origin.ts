import type { OtlpResource, OtlpScope } from '@answer-evidence/otlp-mapping';

/** What an item was made by. In protobuf both are filled in when they are read, which may be after the items. */
export type Origin = {
  readonly resource: { -readonly [field in keyof OtlpResource]: OtlpResource[field] };
  readonly scope: { -readonly [field in keyof OtlpScope]: OtlpScope[field] };
};
