import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { OutboundError, type OutboundMethods } from '@answer-evidence/ports';
import { verifyTimestamp } from '@answer-evidence/rfc3161';
import {
  AUTHORITY_EXTENSIONS,
  CRAFTED_DIGEST,
  type Crafter,
  ISSUER_EXTENSIONS,
  openCrafter,
  RESPONDER_EXTENSIONS,
  respondToOcsp,
} from '@answer-evidence/testing';
import { createRevocationReader } from './read-revocations.ts';

const URL = 'http://ocsp.example/';
const SERIAL = 6;
const REVOKED_AT = new Date('2026-03-01T12:00:00Z');
const signal = new AbortController().signal;

let crafter: Crafter;
let token: Uint8Array;
beforeAll(async () => {
  crafter = await openCrafter();
  await crafter.issue({ name: 'issuer', issuer: 'root', extensions: ISSUER_EXTENSIONS, serial: 5 });
  const extensions = `${AUTHORITY_EXTENSIONS}\nauthorityInfoAccess=OCSP;URI:${URL},caIssuers;URI:http://ca.example/`;
  await crafter.issue({ name: 'asked', issuer: 'issuer', extensions, serial: SERIAL });
  await crafter.issue({ name: 'delegate', issuer: 'issuer', extensions: RESPONDER_EXTENSIONS, serial: 7 });
  await crafter.issue({ name: 'stranger', issuer: 'root', extensions: RESPONDER_EXTENSIONS, serial: 8 });
  await crafter.issue({ name: 'undelegated', issuer: 'issuer', extensions: AUTHORITY_EXTENSIONS, serial: 9 });
  token = await crafter.craft({ signer: 'asked', carried: ['issuer'] });
});
afterAll(() => crafter.close());

type Respond = (request: Uint8Array) => Promise<Uint8Array>;

/** What is read from a responder. */
function readFrom(respond: Respond, { status = 200, days = 0 } = {}) {
  const outbound: OutboundMethods = {
    assertAllowed: () => undefined,
    post: () => Promise.reject(new Error('it is sent')),
    async send({ url, method, body, contentType, bytesMax }) {
      expect([url, method, contentType, bytesMax]).toEqual([URL, 'POST', 'application/ocsp-request', 32 * 1024]);
      return { status, body: await respond(body), contentType: '', headers: {} };
    },
  };
  const nowMicros = () => (Date.now() + days * 86_400_000) * 1000;
  return createRevocationReader(outbound, { nowMicros })([token, token], signal);
}

async function statementsOf(lists: readonly Uint8Array[]) {
  const verified = await verifyTimestamp(token, { digest: CRAFTED_DIGEST, rootsPem: [crafter.rootPem] });
  return (await verified.readRevocations(lists)).map(({ revoked }) => revoked);
}

const by = (signer: string, reason?: string) => (request: Uint8Array) =>
  respondToOcsp(crafter.directory, request, {
    issuer: 'issuer',
    signer,
    serial: SERIAL,
    revoked: { at: REVOKED_AT, ...(reason === undefined ? {} : { reason }) },
  });

describe('asking the responder that a certificate names', () => {
  it('keeps what it says, once, as the verifier then reads it', async () => {
    const good = await readFrom((request) =>
      respondToOcsp(crafter.directory, request, { issuer: 'issuer', serial: SERIAL }),
    );
    expect([good.lists.length, good.faults]).toEqual([1, []]);
    expect(await statementsOf(good.lists)).toEqual([[]]);
    const atMicros = REVOKED_AT.getTime() * 1000;
    for (const [signer, reason, isHarmless] of [
      ['issuer', 'keyCompromise', false],
      ['delegate', 'superseded', true],
      ['delegate', undefined, false],
    ] as const) {
      const { lists } = await readFrom(by(signer, reason));
      expect(await statementsOf(lists)).toEqual([[{ atMicros, isHarmless }]]);
    }
  });

  it('lets nobody speak to whom the issuer delegated nothing, nor anything that was altered', async () => {
    for (const signer of ['stranger', 'undelegated']) {
      const { lists } = await readFrom(by(signer, 'keyCompromise'));
      expect([lists.length, await statementsOf(lists)]).toEqual([1, []]);
    }
    const { lists } = await readFrom(by('delegate', 'keyCompromise'));
    const [whole = new Uint8Array()] = lists;
    for (let at = 0; at < whole.length; at += 1) {
      const altered = Uint8Array.from(whole, (byte, n) => (n === at ? byte ^ 1 : byte));
      const said = await statementsOf([altered]);
      // What is outside of the signatures may be altered, and changes nothing.
      if (said.length > 0) expect(said).toEqual(await statementsOf([whole]));
    }
    expect(await statementsOf([whole.slice(0, -1)])).toEqual([]);
  });

  it('says why a response is missing, in words of its own', async () => {
    const respond = by('issuer');
    const faultOf = async (...args: Parameters<typeof readFrom>) => {
      const { lists, faults } = await readFrom(...args);
      expect(lists).toEqual([]);
      return faults;
    };
    const why = (reason: string) => [`a response of OCSP was not kept: ${reason}`];
    expect(await faultOf(respond, { status: 503 })).toEqual(why('the response has the status 503'));
    expect(await faultOf(respond, { days: 8 })).toEqual(why('the response is of another time'));
    expect(await faultOf(respond, { days: -1 })).toEqual(why('the response is of another time'));
    const refusal = () => Promise.resolve(Uint8Array.of(0x30, 3, 0x0a, 1, 6));
    for (const other of [refusal, () => Promise.resolve(new Uint8Array())])
      expect(await faultOf(other)).toEqual(why('the response is none that can be read, or a refusal'));
    const closed = () => Promise.reject(new OutboundError('address_refused', 'only https may be called'));
    expect(await faultOf(closed)).toEqual(why('only https may be called'));
  });
});
