import type { BundleVerification } from '@answer-evidence/verify';

/** A record of a pack as it was verified, or why it could not be. */
export type PackRecord = {
  /** From 1. */
  readonly number: number;
  /** The id, where it is one that can be shown; else the number says which it is. */
  readonly id: string | undefined;
  readonly bundle: unknown;
  readonly verification: BundleVerification | undefined;
};

const ID = /^[0-9a-f-]{36}$/;

/** The id of a record, as far as it is one. */
export function findId(verification: BundleVerification | undefined): string | undefined {
  const id = verification?.answer_log_id;
  return typeof id === 'string' && ID.test(id) ? id : undefined;
}
