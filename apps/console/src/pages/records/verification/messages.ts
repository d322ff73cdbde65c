import type { TrustFile } from '@answer-evidence/contracts';
import type { BundleVerification } from '@answer-evidence/package-verify';

/** What the worker verifies, and with which keys. With `logUrl`, it also reads the log there. */
export type VerifyRequest = { readonly bundle: Uint8Array; readonly trust: TrustFile; readonly logUrl?: string };

/** What came of it; a fault where nothing could be verified. */
export type VerifyReply = { readonly verification: BundleVerification } | { readonly fault: string };
