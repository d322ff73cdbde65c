import { describe, expect, it } from '@jest/globals';
import { encodeDer } from '@answer-evidence/testing';
import { parseDer } from './der.ts';

const refused = (...bytes: number[]) => expect(() => parseDer(Uint8Array.from(bytes))).toThrow('malformed');

describe('parseDer', () => {
  it('reads one element with the elements inside and their exact bytes', () => {
    const bytes = encodeDer(0x30, encodeDer(0x04, new Uint8Array(200)), encodeDer(0xa1, Uint8Array.of(2, 1, 5)));
    const node = parseDer(bytes);
    expect(node.raw).toEqual(bytes);
    expect(node.children.map((child) => child.tag)).toEqual([0x04, 0xa1]);
    expect(node.children[0]?.content).toEqual(new Uint8Array(200));
    expect(node.children[1]?.children[0]?.raw).toEqual(Uint8Array.of(2, 1, 5));
  });

  it('refuses what BER allows beyond DER: other forms of a length, and strings in pieces', () => {
    refused(0x30, 0x80, 0x02, 0x01, 0x05, 0x00, 0x00);
    refused(0x30, 0x81, 0x03, 0x02, 0x01, 0x05);
    refused(0x30, 0x82, 0x00, 0x03, 0x02, 0x01, 0x05);
    refused(0x30, 0x04, 0x02, 0x81, 0x01, 0x05);
    refused(0x24, 0x03, 0x04, 0x01, 0x05);
    refused(0x10, 0x03, 0x02, 0x01, 0x05);
  });

  it('refuses missing and further bytes, long tags and object identifiers in other forms', () => {
    refused();
    refused(0x30);
    refused(0x30, 0x03, 0x02, 0x01);
    refused(0x30, 0x03, 0x02, 0x01, 0x05, 0x00);
    refused(0x1f, 0x81, 0x01, 0x01, 0x05);
    refused(0x06, 0x00);
    refused(0x06, 0x03, 0x2a, 0x80, 0x01);
    refused(0x06, 0x02, 0x2a, 0x83);
  });
});
