import type { ApplicationTokens, ApprovableActs, DueCounter, ExpiringKind } from '@answer-evidence/ports';
import { createFakeApplicationTokens } from './fake-application-tokens.ts';
import {
  createFakeLoginThrottle,
  createFakePasswordHasher,
  type FakeLoginThrottle,
  type FakePasswordHasher,
} from './fake-password-hasher.ts';

const NOTHING_EXPIRES: DueCounter = { countDue: () => Promise.resolve(0), countKept: () => Promise.resolve(0) };

/** What accounts need from around a workspace. */
export type TestAccounts = {
  readonly applicationTokens: ApplicationTokens;
  readonly passwords: FakePasswordHasher;
  readonly loginThrottle: FakeLoginThrottle;
  readonly expiring: Readonly<Record<ExpiringKind, DueCounter>>;
  readonly linkUrl: (slug: string) => string;
  /** Tests put in what they ask for. */
  readonly acts: ApprovableActs;
};

/** Makes what is quick and remembers what it was asked. */
export function createTestAccounts(): TestAccounts {
  return {
    applicationTokens: createFakeApplicationTokens(),
    expiring: { texts: NOTHING_EXPIRES, evidence: NOTHING_EXPIRES, triage: NOTHING_EXPIRES },
    passwords: createFakePasswordHasher(),
    loginThrottle: createFakeLoginThrottle(),
    acts: {},
    linkUrl: (slug) => `https://${slug}.example`,
  };
}
