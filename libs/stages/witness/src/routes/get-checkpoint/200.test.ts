import { describe, expect, it } from '@jest/globals';
import { sha256 } from '@answer-evidence/digest';
import { formatHex } from '@answer-evidence/encoding';
import { parseNote, parseVkey, verifyCosignatures } from '@answer-evidence/note';
import {
  createFixtureLog,
  createFixtureWitness,
  verifySignature,
} from '../../../../../domain/witness/fixtures/fixture-log.ts';
import { createFixtureStage, SECONDS } from '../../fixtures/witness.ts';

const log = createFixtureLog('example.com/log', 1);
const path = `/${formatHex(sha256(log.origin))}/checkpoint`;

describe('GET /{log}/checkpoint: 200', () => {
  it('is the latest cosigned note, which its cosignature verifies on', async () => {
    const { add, get } = createFixtureStage([log.vkey]);
    await add(log.request(0, 3));
    await add(log.request(3, 8));
    const reply = await get(path);
    expect(reply).toMatchObject({ status: 200, contentType: 'text/plain; charset=utf-8' });
    expect((await get(path.replace(/[0-9a-f]{64}/, (hex) => hex.toUpperCase()))).body).toEqual(reply.body);
    const note = parseNote(String(reply.body));
    expect(note.text).toBe(parseNote(log.note(8)).text);
    const vkey = parseVkey(createFixtureWitness('witness.example/w1', 5).vkey);
    const verified = await verifyCosignatures(
      note,
      { witnesses: [{ name: 'w', vkey, url: undefined }] },
      verifySignature,
    );
    expect(verified).toMatchObject([{ timestamp: SECONDS }]);
  });
});

describe('GET /: 200', () => {
  it('names the key and where each log is found', async () => {
    const { get } = createFixtureStage([log.vkey]);
    const { status, body } = await get('/');
    expect(status).toBe(200);
    expect(body).toContain(createFixtureWitness('witness.example/w1', 5).vkey);
    expect(body).toContain(`${path}   ${log.origin}`);
  });
});
