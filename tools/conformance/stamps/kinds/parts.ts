import { encodeDer, encodeOid } from '@answer-evidence/testing';
import {
  extension,
  formatPem,
  type HashName,
  type KeyKind,
  octets,
  PURPOSES,
  purposes,
  sequence,
} from '../certificates.ts';
import { type Craft, type Made } from '../tokens.ts';

/** A name, and what is not as in a good time-stamp. */
export type Row = readonly [name: string, craft: Craft];
/** What is believed, and what is refused. */
export type Rows = readonly [believed: readonly Row[], refused: readonly Row[]];

/** Bytes by their values. */
export const bytes = (...values: readonly number[]) => Uint8Array.from(values);
/** Bytes after bytes. */
export const join = (...parts: readonly Uint8Array[]) => Uint8Array.from(Buffer.concat(parts));
/** The BOOLEAN that is false. */
export const FALSE = encodeDer(0x01, bytes(0));
/** A key identifier. */
export const KEY_ID = Uint8Array.from({ length: 20 }, (_, n) => n);
/** A TSTInfo with fields after the time. */
export const withTail = (...tail: readonly Uint8Array[]): Craft => ({ info: (fields) => [...fields, ...tail] });
/** A TSTInfo with another field at a place. */
export const field = (at: number, value: Uint8Array): Craft => ({ info: (fields) => fields.with(at, value) });
/** A TSTInfo over another imprint. */
export const imprint = (algorithm: Uint8Array, digest: Uint8Array): Craft => ({
  imprint: sequence(algorithm, octets(digest)),
});
/** The extensions of a TSTInfo. */
export const infoExtension = (isCritical: boolean) => encodeDer(0xa1, extension('1.2.3', octets(bytes(1)), isCritical));
/** A response of another status. */
export const status = (...parts: readonly Uint8Array[]): Craft => ({ status: sequence(...parts) });
/** A signer with these extensions. */
export const signer = (...extensions: readonly Uint8Array[]): Craft => ({ signer: { extensions } });
/** An authority between with these extensions. */
export const between = (...extensions: readonly Uint8Array[]): Craft => ({ between: { extensions } });
/** A root with these extensions. */
export const root = (...extensions: readonly Uint8Array[]): Craft => ({ root: { extensions } });
/** A token whose attributes name these certificates. */
export const names = (list: (made: Made) => readonly Uint8Array[]): Craft => ({
  attributes: ({ contentType, digest, made }) => [contentType, digest, ...list(made)],
});
/** Pins in PEM, made of the good ones. */
export const pem = (text: (good: string, made: Made) => string): Craft => ({
  pem: (made) => text(formatPem(made.root), made),
});
/** An extension that nobody knows. */
export const unknown = (isCritical: boolean) => extension('1.2.3.4', octets(bytes(1)), isCritical);
/** Constraints on names. */
export const NAME_CONSTRAINTS = sequence(encodeDer(0xa0, sequence(encodeDer(0x82, bytes(0x61)))));
/** Constraints on policies. */
export const POLICY_CONSTRAINTS = sequence(encodeDer(0x80, bytes(0)));
/** The policies of a certificate. */
export const POLICIES = sequence(sequence(encodeOid('2.5.29.32.0')));

/** The purpose of a signer. */
export const PURPOSE = purposes(true, PURPOSES.timeStamping);
/** The hashes that are believed. */
export const hashes: readonly HashName[] = ['sha256', 'sha384', 'sha512'];
/** Hashes that are not. */
export const weak: readonly HashName[] = ['sha1', 'sha224'];
/** The curves that are believed. */
export const curves: readonly KeyKind[] = ['p256', 'p384', 'p521'];
/** Curves that are not. */
export const foreign: readonly KeyKind[] = ['p224', 'secp256k1', 'brainpool'];
/** What one certificate of the chain is, and the others are not. */
export const PLACES = ['signer', 'between', 'root'] as const;
/** A key of another kind at a place of the chain. */
export const keyOf = (place: (typeof PLACES)[number], kind: KeyKind): Craft => ({ [`${place}Key`]: kind });
