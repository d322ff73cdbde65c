import { randomBytes } from 'node:crypto';
import { readFile } from 'node:fs/promises';
import { join } from 'node:path';
import { readOrCreateSecretFile, writeFileAtomically } from '@answer-evidence/filesystem';
import { createEd25519Signer, createMlDsa44Signer, ML_DSA_44 } from '@answer-evidence/node-crypto';
import {
  COSIGNATURE_ED25519,
  COSIGNATURE_ML_DSA_44,
  createVkey,
  formatVkey,
  NoteError,
  parseVkey,
  type Vkey,
} from '@answer-evidence/note';
import type { WitnessKey } from '@answer-evidence/stage-witness';
import { StartError } from '../ground/start-error.ts';

/** A key of a witness, and the file with its seed. */
type OpenedKey = WitnessKey & {
  readonly file: string;
  /** Whether this start made it. */
  readonly created: boolean;
};

/** A key that every witness has; `publicKeyBytes` is as long as its public key is. */
type Kind = {
  readonly file: string;
  readonly type: number;
  readonly publicKeyBytes: number;
  readonly signer: (seed: Uint8Array) => {
    readonly publicKey: Uint8Array;
    readonly sign: (message: Uint8Array) => Uint8Array;
  };
};

/** Of both kinds a seed has so many bytes. */
const SEED_BYTES = 32;

const ED25519_KEY: Kind = {
  file: 'witness',
  type: COSIGNATURE_ED25519,
  publicKeyBytes: 32,
  signer: createEd25519Signer,
};
const ML_DSA_44_KEY: Kind = {
  file: 'witness-ml-dsa-44',
  type: COSIGNATURE_ML_DSA_44,
  publicKeyBytes: ML_DSA_44.publicKeyBytes,
  signer: createMlDsa44Signer,
};

/**
 * The keys in `witness.key` (Ed25519) and `witness-ml-dsa-44.key` of the folder (mode 0600), made by the first start,
 * with the name in a `.vkey` beside each. A key keeps its name for ever: an Ed25519 cosignature does not say the name,
 * so a second one would look like a second witness. Throws `StartError`.
 */
export async function openWitnessKeys(folder: string, name: string | undefined): Promise<readonly OpenedKey[]> {
  const first = await openKey(folder, ED25519_KEY, name);
  return [first, await openKey(folder, ML_DSA_44_KEY, first.vkey.name)];
}

async function openKey(folder: string, kind: Kind, name: string | undefined): Promise<OpenedKey> {
  const file = join(folder, `${kind.file}.key`);
  try {
    const { secret, created } = await readOrCreateSecretFile(file, () => {
      if (name === undefined)
        throw new StartError('a new witness needs a name; set --name, such as --name witness.example/w1');
      // Refused before there is a key that would have to be thrown away.
      createVkey(name, kind.type, new Uint8Array(kind.publicKeyBytes));
      return new Uint8Array(randomBytes(SEED_BYTES));
    });
    if (secret.length !== SEED_BYTES)
      throw new StartError(`${file} does not contain a key of ${SEED_BYTES} bytes; restore it from a backup`);
    const signer = kind.signer(secret);
    const vkey = await openName(join(folder, `${kind.file}.vkey`), kind.type, name, signer.publicKey);
    return { vkey, sign: (message) => signer.sign(message), file, created };
  } catch (error) {
    if (error instanceof StartError) throw error;
    if (error instanceof NoteError) throw new StartError(`the name of the witness is invalid: ${error.reason}`);
    throw new StartError(error instanceof Error ? error.message : `${file} cannot be read`);
  }
}

async function openName(file: string, type: number, name: string | undefined, publicKey: Uint8Array): Promise<Vkey> {
  const known = await readFile(file, 'utf8').catch((error: NodeJS.ErrnoException) => {
    // Only a file that is not there may be made: one that cannot be read just now holds the name that the key has.
    if (error.code !== 'ENOENT') throw new StartError(`${file} cannot be read (${error.code ?? 'unknown reason'})`);
    return undefined;
  });
  if (known === undefined) {
    if (name === undefined) throw new StartError(`${file} is missing; give the name of this witness with --name`);
    const made = createVkey(name, type, publicKey);
    await writeFileAtomically(file, `${formatVkey(made)}\n`, 0o644);
    return made;
  }
  const vkey = parseVkey(known.trim());
  if (formatVkey(vkey) !== formatVkey(createVkey(vkey.name, type, publicKey)))
    throw new StartError(`${file} does not belong to the key beside it; restore both from one backup`);
  if (name !== undefined && name !== vkey.name)
    throw new StartError(
      `this key already serves as ${vkey.name}, and a key never changes its name: start with that name, or in another data folder`,
    );
  return vkey;
}
