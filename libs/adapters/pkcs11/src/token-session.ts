import { type Attribute, CK, CKA, type Cryptoki, loadCryptoki } from './cryptoki.ts';
import { describeFailure, TokenError } from './describe-failure.ts';
import type { Request, Results, TokenPlace } from './messages.ts';

const SIGNATURE_BYTES = 64;
const PUBLIC_KEY_BYTES = 32;
const ID_BYTES = 16;
const NONCE_BYTES = 12;
const TAG_BYTES = 16;
const AES_KEY_BYTES = 32;
/** edwards25519 as the object identifier of RFC 8410, and as the name of PKCS#11 3.0: tokens take one of them. */
const CURVES = ['06032b6570', '130c656477617264733235353139'].map((hex) => Buffer.from(hex, 'hex'));
/** How a token says that it does not know this form of the curve's name. */
const OTHER_CURVE = /CKR_(ATTRIBUTE_VALUE_INVALID|CURVE_NOT_SUPPORTED|DOMAIN_PARAMS_INVALID|TEMPLATE_INCONSISTENT)/;

type Handle = ReturnType<Cryptoki['C_OpenSession']>;

/** A session with a token, in which a user is logged in. Its functions block, and throw what PKCS#11 says. */
export type TokenSession = { readonly answer: (request: Exclude<Request, { do: 'open' }>) => Results[keyof Results] };

/** Loads the library, finds the token by its label, and logs in. Throws `PackageError`, `TokenError` and others. */
export function openTokenSession({ module, token, pin, packageFolder }: TokenPlace): TokenSession {
  const { cryptoki: ck, gcm } = loadCryptoki(packageFolder);
  load(ck, module);
  const session = logIn(ck, token, pin);
  const privateKeys = new Map<string, Handle>();

  function find(template: readonly Attribute[]): readonly Handle[] {
    ck.C_FindObjectsInit(session, template);
    try {
      return ck.C_FindObjects(session, 2);
    } finally {
      ck.C_FindObjectsFinal(session);
    }
  }

  function findKey(kind: number, id: string): Handle {
    const [key, other] = find([
      { type: CKA.CLASS, value: kind },
      { type: CKA.ID, value: Buffer.from(id, 'hex') },
    ]);
    if (key === undefined)
      throw new TokenError('refused', `it has no key with the id ${id}: restore the key, or use the token that has it`);
    if (other !== undefined)
      throw new TokenError('refused', `it has several keys with the id ${id}: remove those that the log does not name`);
    return key;
  }

  function assertStays(key: Handle): void {
    const [sensitive, extractable] = ck
      .C_GetAttributeValue(session, key, [{ type: CKA.SENSITIVE }, { type: CKA.EXTRACTABLE }])
      .map(({ value }) => value[0] === 1);
    if (sensitive !== true || extractable !== false)
      throw new TokenError('refused', 'the key can be taken out of it: make a new one, and retire this one');
  }

  function findPrivate(id: string): Handle {
    const known = privateKeys.get(id);
    if (known !== undefined) return known;
    const found = findKey(CK.PRIVATE_KEY, id);
    assertStays(found);
    privateKeys.set(id, found);
    return found;
  }

  function readPoint(publicKey: Handle): Uint8Array {
    const [point] = ck.C_GetAttributeValue(session, publicKey, [{ type: CKA.EC_POINT }]);
    const bytes = point?.value ?? Buffer.alloc(0);
    // As it is, or in the DER of an octet string or a bit string.
    const prefix = bytes.subarray(0, -PUBLIC_KEY_BYTES).toString('hex');
    if (!['', '0420', '032100'].includes(prefix) || bytes.length < PUBLIC_KEY_BYTES)
      throw new TokenError('refused', 'the key is no Ed25519 key: use the one that the log names');
    return new Uint8Array(bytes.subarray(-PUBLIC_KEY_BYTES));
  }

  function createKey(label: string): Results['create-key'] {
    const id = ck.C_GenerateRandom(session, Buffer.alloc(ID_BYTES));
    const named: readonly Attribute[] = [
      { type: CKA.TOKEN, value: true },
      { type: CKA.ID, value: id },
      { type: CKA.LABEL, value: label },
    ];
    const generate = (curve: Buffer) =>
      ck.C_GenerateKeyPair(
        session,
        { mechanism: CK.EDWARDS_KEY_PAIR_GEN },
        [...named, { type: CKA.VERIFY, value: true }, { type: CKA.EC_PARAMS, value: curve }],
        [...named, { type: CKA.SIGN, value: true }, ...NEVER_LEAVES],
      );
    const made = firstOf(CURVES, generate);
    assertStays(made.privateKey);
    return { id: id.toString('hex'), publicKey: readPoint(made.publicKey) };
  }

  function sign(id: string, message: Uint8Array): Uint8Array {
    ck.C_SignInit(session, { mechanism: CK.EDDSA }, findPrivate(id));
    return new Uint8Array(ck.C_Sign(session, Buffer.from(message), Buffer.alloc(SIGNATURE_BYTES)));
  }

  function findWrapping(label: string): Handle | undefined {
    const [key, other] = find([
      { type: CKA.CLASS, value: CK.SECRET_KEY },
      { type: CKA.KEY_TYPE, value: CK.AES },
      { type: CKA.LABEL, value: label },
    ]);
    if (other !== undefined)
      throw new TokenError('refused', `it has several keys "${label}": give the one that wraps a label of its own`);
    if (key !== undefined) assertStays(key);
    return key;
  }

  function createWrapping(label: string): Handle {
    return ck.C_GenerateKey(session, { mechanism: CK.AES_KEY_GEN }, [
      { type: CKA.CLASS, value: CK.SECRET_KEY },
      { type: CKA.KEY_TYPE, value: CK.AES },
      { type: CKA.TOKEN, value: true },
      { type: CKA.VALUE_LEN, value: AES_KEY_BYTES },
      { type: CKA.LABEL, value: label },
      { type: CKA.ENCRYPT, value: true },
      { type: CKA.DECRYPT, value: true },
      ...NEVER_LEAVES,
    ]);
  }

  const sealing = (nonce: Buffer, purpose: string) => ({
    mechanism: CK.AES_GCM,
    parameter: { type: gcm, iv: nonce, ivBits: nonce.length * 8, aad: Buffer.from(purpose), tagBits: TAG_BYTES * 8 },
  });

  /** Nonce (12 bytes) ‖ ciphertext ‖ tag (16 bytes). A key that is not there is made. */
  function wrap(label: string, purpose: string, secret: Uint8Array): Uint8Array {
    const nonce = ck.C_GenerateRandom(session, Buffer.alloc(NONCE_BYTES));
    ck.C_EncryptInit(session, sealing(nonce, purpose), findWrapping(label) ?? createWrapping(label));
    const sealed = ck.C_Encrypt(session, Buffer.from(secret), Buffer.alloc(secret.length + TAG_BYTES));
    return new Uint8Array(Buffer.concat([nonce, sealed]));
  }

  function unwrap(label: string, purpose: string, wrapped: Uint8Array): Uint8Array {
    const key = findWrapping(label);
    if (key === undefined)
      throw new TokenError('refused', `it has no key "${label}": restore the key that wrapped, or use its token`);
    const sealed = Buffer.from(wrapped);
    ck.C_DecryptInit(session, sealing(sealed.subarray(0, NONCE_BYTES), purpose), key);
    try {
      const secret = ck.C_Decrypt(session, sealed.subarray(NONCE_BYTES), Buffer.alloc(sealed.length));
      return new Uint8Array(secret);
    } catch (error) {
      // Tokens tell of a tag that does not fit by errors of many names.
      if (/CKR_(SESSION|DEVICE_REMOVED|TOKEN|USER|CRYPTOKI)/.test(String(error))) throw error;
      throw new TokenError('refused', 'what is wrapped is not of this key and purpose, or was altered');
    }
  }

  return {
    answer(request) {
      switch (request.do) {
        case 'create-key':
          return createKey(request.label);
        case 'public-key':
          assertStays(findKey(CK.PRIVATE_KEY, request.id));
          return readPoint(findKey(CK.PUBLIC_KEY, request.id));
        case 'sign':
          return sign(request.id, request.message);
        case 'wrap':
          return wrap(request.label, request.purpose, request.secret);
        case 'unwrap':
          return unwrap(request.label, request.purpose, request.wrapped);
      }
    },
  };
}

const NEVER_LEAVES: readonly Attribute[] = [
  { type: CKA.PRIVATE, value: true },
  { type: CKA.SENSITIVE, value: true },
  { type: CKA.EXTRACTABLE, value: false },
];

function load(ck: Cryptoki, module: string): void {
  try {
    ck.load(module);
  } catch {
    throw new TokenError('refused', `${module} is no library of PKCS#11 for this machine: correct PKCS11_MODULE`);
  }
  ck.C_Initialize();
}

function logIn(ck: Cryptoki, token: string, pin: string): Handle {
  const slots = ck.C_GetSlotList(true);
  const found = slots.filter((slot) => ck.C_GetTokenInfo(slot).label.trim() === token);
  const [slot] = found;
  if (slot === undefined || found.length > 1)
    throw new TokenError(
      slot === undefined ? 'lost' : 'refused',
      slot === undefined
        ? 'there is no token with this label: correct PKCS11_TOKEN, or connect the token'
        : 'several tokens have this label: give the one of this service a label of its own',
    );
  const { flags } = ck.C_GetTokenInfo(slot);
  if ((flags & CK.PIN_LOCKED) !== 0) throw new TokenError('pin', describeFailure(new Error('CKR_PIN_LOCKED')).text);
  // A supervisor that starts the service again and again must not be what locks it.
  if ((flags & CK.PIN_FINAL_TRY) !== 0)
    throw new TokenError(
      'pin',
      'one more wrong PIN locks it: log in once with the right one (pkcs11-tool --login), put it into PKCS11_PIN_FILE, ' +
        'and start again',
    );
  const session = ck.C_OpenSession(slot, CK.SERIAL_SESSION | CK.RW_SESSION);
  ck.C_Login(session, CK.USER, pin);
  return session;
}

/** The result for the first curve that the token knows. */
function firstOf<T>(curves: readonly Buffer[], generate: (curve: Buffer) => T): T {
  for (const [n, curve] of curves.entries())
    try {
      return generate(curve);
    } catch (error) {
      if (n === curves.length - 1 || !OTHER_CURVE.test(String(error))) throw error;
    }
  throw new Error('there are curves');
}
