import { setImmediate } from 'node:timers/promises';
import type { UserCaller } from '@answer-evidence/access';
import type { Role } from '@answer-evidence/contracts';
import { createUuidV7 } from '@answer-evidence/encoding';
import { createContentSniffer } from '@answer-evidence/file-type';
import { createHtmlReader } from '@answer-evidence/html-text';
import { systemRandom } from '@answer-evidence/node-crypto';
import type { SweepHold } from '@answer-evidence/ports';
import { MemoryObjects } from './memory-objects.ts';
import { createSteppingClock, createToldClockGuard, DAY_MICROS } from './stepping-clock.ts';
import type { TestWorkspace } from './test-workspace.ts';

/** What surrounds a workspace for tests, wherever its tables are. */
export function createTestWorld() {
  const clock = createSteppingClock();
  return {
    clock,
    clockGuard: createToldClockGuard(),
    random: systemRandom,
    newId: () => createUuidV7(Math.floor(clock.nowMicros() / 1000), systemRandom.bytes(10)),
    objects: new MemoryObjects(() => clock.nowMicros()),
    sniffer: createContentSniffer(),
    htmlReader: createHtmlReader(),
    turn: () => setImmediate(),
    backupDays: 30,
    sweepHolds: new Map<string, SweepHold>(),
  };
}

/** One caller of each kind; `managerId` is the first member's. */
export function createTestCallers(
  { clock, newId }: ReturnType<typeof createTestWorld>,
  workspaceId: string,
  managerId: string,
): Pick<TestWorkspace, 'manager' | 'member' | 'application'> {
  const expiresAt = clock.nowMicros() + DAY_MICROS;
  const user = (userId: string, username: string, role: Role): UserCaller => ({
    kind: 'user',
    workspaceId,
    tokenId: newId(),
    userId,
    username,
    role,
    expiresAt,
  });
  return {
    manager: user(managerId, 'mia', 'manager'),
    member: user(newId(), 'max', 'member'),
    application: {
      kind: 'application',
      workspaceId,
      tokenId: newId(),
      applicationKey: 'support-bot',
      scopes: ['answer_audit:create', 'answer_audit:read'],
      expiresAt,
    },
  };
}
