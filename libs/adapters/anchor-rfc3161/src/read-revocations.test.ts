import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { OutboundError, type OutboundMethods, type OutboundReply } from '@answer-evidence/ports';
import { verifyTimestamp } from '@answer-evidence/rfc3161';
import {
  AUTHORITY_EXTENSIONS,
  CRAFTED_DIGEST,
  type Crafter,
  issueRevocationList,
  openCrafter,
  REVOKER_EXTENSIONS,
} from '@answer-evidence/testing';
import { createRevocationReader } from './read-revocations.ts';

const URL = 'http://lists.example/between.crl';
const OTHER = 'https://lists.example/other.crl';
const signal = new AbortController().signal;

let crafter: Crafter;
let token: Uint8Array;
let list: Uint8Array;
beforeAll(async () => {
  crafter = await openCrafter();
  await crafter.issue({
    name: 'issuer',
    issuer: 'root',
    extensions: REVOKER_EXTENSIONS,
    serial: 5,
  });
  const extensions = `${AUTHORITY_EXTENSIONS}\ncrlDistributionPoints=URI:${URL},URI:ldap://lists.example/,URI:${OTHER}`;
  await crafter.issue({ name: 'listed', issuer: 'issuer', extensions, serial: 6 });
  token = await crafter.craft({ signer: 'listed', carried: ['issuer'] });
  list = await issueRevocationList(crafter.directory, {
    issuer: 'issuer',
    serial: 6,
    reason: 'superseded',
    at: new Date(),
  });
});
afterAll(() => crafter.close());

function createOutbound(replies: Readonly<Record<string, OutboundReply | OutboundError>>): OutboundMethods {
  return {
    assertAllowed: () => undefined,
    post: () => Promise.reject(new Error('lists are not posted')),
    send({ url, method, bytesMax }) {
      const reply = replies[url];
      if (reply === undefined || method !== 'GET' || bytesMax > 64 * 1024) throw new Error(`${method} ${url}`);
      return reply instanceof OutboundError ? Promise.reject(reply) : Promise.resolve(reply);
    },
  };
}

const readerOf = (replies: Parameters<typeof createOutbound>[0]) =>
  createRevocationReader(createOutbound(replies), { nowMicros: () => Date.now() * 1000 });
const reply = (body: Uint8Array, status = 200): OutboundReply => ({ status, body, contentType: '', headers: {} });

describe('reading revocation lists', () => {
  it('keeps each list that the certificates of tokens name, once, as the verifier then reads it', async () => {
    const read = readerOf({ [URL]: reply(list), [OTHER]: reply(list, 404) });
    const { lists, faults } = await read([token, token], signal);
    expect(lists).toEqual([list]);
    expect(faults).toEqual(['a revocation list was not kept: the response has the status 404']);
    const verified = await verifyTimestamp(token, { digest: CRAFTED_DIGEST, rootsPem: [crafter.rootPem] });
    const [statement] = await verified.readRevocations(lists);
    expect(statement?.revoked).toMatchObject([{ isHarmless: true }]);
  });

  it('says why a list is missing, in words of its own', async () => {
    const refused = new OutboundError('address_refused', 'only https may be called');
    const read = readerOf({ [URL]: refused, [OTHER]: reply(Uint8Array.of(1, 2)) });
    expect(await read([token], signal)).toEqual({
      lists: [],
      faults: [
        'a revocation list was not kept: only https may be called',
        'a revocation list was not kept: the response is none that can be read',
      ],
    });
    const silent = readerOf({});
    const bare = await crafter.craft();
    for (const responses of [[bare], [Uint8Array.of(0x30, 0)], []])
      expect(await silent(responses, signal)).toEqual({
        lists: [],
        faults: ['no certificate says where its revocation list is'],
      });
  });
});
