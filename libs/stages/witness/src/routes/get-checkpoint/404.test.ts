import { describe, expect, it } from '@jest/globals';
import { sha256 } from '@answer-evidence/digest';
import { formatHex } from '@answer-evidence/encoding';
import { createFixtureLog } from '../../../../../domain/witness/fixtures/fixture-log.ts';
import { createFixtureStage } from '../../fixtures/witness.ts';

const log = createFixtureLog('example.com/log', 1);
const pathOf = (origin: string) => `/${formatHex(sha256(origin))}/checkpoint`;

describe('GET /{log}/checkpoint: 404', () => {
  it('is the answer for a log never cosigned, an unknown one, and what is no hash', async () => {
    const { get } = createFixtureStage([log.vkey]);
    for (const path of [
      pathOf(log.origin),
      pathOf('stranger.example'),
      '/x/checkpoint',
      pathOf(log.origin).toUpperCase().replace('CHECKPOINT', 'checkpoint'),
    ]) {
      expect((await get(path)).status).toBe(404);
    }
  });
});
