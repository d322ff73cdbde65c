import { REASON_CODE_HEADER, REASON_HEADER, type RevealRequest } from '@answer-evidence/contracts';

/** The headers by which a request says why the texts in its reply are read; none without a reason. */
export function reasonHeaders(reason: RevealRequest | undefined): { readonly headers?: Record<string, string> } {
  if (reason === undefined) return {};
  return {
    headers: {
      [REASON_CODE_HEADER]: reason.reason_code,
      [REASON_HEADER]: encodeURIComponent(reason.reason.toWellFormed()),
    },
  };
}
