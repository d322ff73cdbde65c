import { createRequire } from 'node:module';
import { join } from 'node:path';

type Handle = Buffer;
export type Attribute = { readonly type: number; readonly value?: Buffer | boolean | number | string };
type Mechanism = { readonly mechanism: number; readonly parameter?: object };

/** What is used of the class `PKCS11` of pkcs11js: the functions of PKCS#11 under their own names. They throw. */
export type Cryptoki = {
  load(path: string): void;
  C_Initialize(): void;
  C_GetSlotList(withToken: boolean): Handle[];
  C_GetTokenInfo(slot: Handle): { readonly label: string; readonly flags: number };
  C_OpenSession(slot: Handle, flags: number): Handle;
  C_Login(session: Handle, user: number, pin: string): void;
  C_GenerateRandom(session: Handle, into: Buffer): Buffer;
  C_GenerateKey(session: Handle, mechanism: Mechanism, template: readonly Attribute[]): Handle;
  C_GenerateKeyPair(
    session: Handle,
    mechanism: Mechanism,
    publicKey: readonly Attribute[],
    privateKey: readonly Attribute[],
  ): { readonly publicKey: Handle; readonly privateKey: Handle };
  C_FindObjectsInit(session: Handle, template: readonly Attribute[]): void;
  C_FindObjects(session: Handle, max: number): Handle[];
  C_FindObjectsFinal(session: Handle): void;
  C_GetAttributeValue(session: Handle, object: Handle, template: readonly Attribute[]): { readonly value: Buffer }[];
  C_SignInit(session: Handle, mechanism: Mechanism, key: Handle): void;
  C_Sign(session: Handle, message: Buffer, into: Buffer): Buffer;
  C_EncryptInit(session: Handle, mechanism: Mechanism, key: Handle): void;
  C_Encrypt(session: Handle, plaintext: Buffer, into: Buffer): Buffer;
  C_DecryptInit(session: Handle, mechanism: Mechanism, key: Handle): void;
  C_Decrypt(session: Handle, ciphertext: Buffer, into: Buffer): Buffer;
};

/** Numbers of PKCS#11 3.0; pkcs11js has names for those of 2.40 alone. */
export const CK = {
  SERIAL_SESSION: 4,
  RW_SESSION: 2,
  USER: 1,
  PIN_FINAL_TRY: 0x2_0000,
  PIN_LOCKED: 0x4_0000,
  PUBLIC_KEY: 2,
  PRIVATE_KEY: 3,
  SECRET_KEY: 4,
  AES: 0x1f,
  AES_KEY_GEN: 0x1080,
  AES_GCM: 0x1087,
  EDWARDS_KEY_PAIR_GEN: 0x1055,
  EDDSA: 0x1057,
} as const;

/** Attributes of objects. */
export const CKA = {
  CLASS: 0x0,
  TOKEN: 0x1,
  PRIVATE: 0x2,
  LABEL: 0x3,
  KEY_TYPE: 0x100,
  ID: 0x102,
  SENSITIVE: 0x103,
  ENCRYPT: 0x104,
  DECRYPT: 0x105,
  SIGN: 0x108,
  VERIFY: 0x10a,
  VALUE_LEN: 0x161,
  EXTRACTABLE: 0x162,
  EC_PARAMS: 0x180,
  EC_POINT: 0x181,
} as const;

/** pkcs11js could not be loaded: it is not installed, or not compiled for this Node. */
export class PackageError extends Error {
  override readonly name = 'PackageError';
}

/** The functions of PKCS#11 by pkcs11js, and the number by which it knows parameters of GCM. Throws `PackageError`. */
export function loadCryptoki(packageFolder: string | undefined): { readonly cryptoki: Cryptoki; readonly gcm: number } {
  try {
    const from = packageFolder === undefined ? import.meta.url : join(packageFolder, 'package.json');
    const loaded: unknown = createRequire(from)(packageFolder ?? 'pkcs11js');
    const { PKCS11, CK_PARAMS_AES_GCM_v240: gcm } = loaded as {
      readonly PKCS11: new () => Cryptoki;
      readonly CK_PARAMS_AES_GCM_v240: number;
    };
    return { cryptoki: new PKCS11(), gcm };
  } catch (cause) {
    throw new PackageError('pkcs11js cannot be loaded', { cause });
  }
}
