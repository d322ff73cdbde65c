import { expect, it } from '@jest/globals';
import { OTLP_LIMITS } from '@answer-evidence/otlp';
import type { OtlpStore } from '@answer-evidence/ports';
import { createFakeWorkspace, findWrongAccess } from '@answer-evidence/testing';
import { createOtlpStage } from './index.ts';

it('every route takes the callers whom its right admits, and refuses all others before its handler runs', async () => {
  const { routes } = createOtlpStage({
    ...createFakeWorkspace(),
    otlp: {} as OtlpStore,
    turn: () => Promise.resolve(),
    pause: () => Promise.resolve(),
    otlpLimits: OTLP_LIMITS,
    otlpBodyBytesMax: 1_000_000,
    otlpInHandBytesMax: 10_000_000,
    otlpWaitSeconds: 900,
    otlpTraceWaitSeconds: 60,
    otlpLedgerWaitMs: 0,
  });
  expect(await findWrongAccess(routes)).toEqual([]);
});
