import { randomBytes } from 'node:crypto';
import { readFile } from 'node:fs/promises';
import { join } from 'node:path';
import { readOrCreateSecretFile, writeFileAtomically } from '@answer-evidence/filesystem';
import { createEd25519Signer, ED25519_KEY_BYTES } from '@answer-evidence/node-crypto';
import { COSIGNATURE_ED25519, createVkey, formatVkey, NoteError, parseVkey, type Vkey } from '@answer-evidence/note';
import { StartError } from '../ground/start-error.ts';

/** The key of a witness. */
type WitnessKey = {
  readonly vkey: Vkey;
  sign(message: string): Uint8Array;
  /** Whether this start made it. */
  readonly created: boolean;
};

/**
 * The key in `witness.key` of the folder (mode 0600), made by the first start, with the name in `witness.vkey` beside
 * it. A key keeps its name for ever: cosignatures do not say the name, so a second one would look like a second
 * witness. Throws `StartError`.
 */
export async function openWitnessKey(folder: string, name: string | undefined): Promise<WitnessKey> {
  const keyFile = join(folder, 'witness.key');
  try {
    const { secret, created } = await readOrCreateSecretFile(keyFile, () => {
      if (name === undefined)
        throw new StartError('a new witness needs a name; set --name, such as --name witness.example/w1');
      // Refused before there is a key that would have to be thrown away.
      createVkey(name, COSIGNATURE_ED25519, new Uint8Array(ED25519_KEY_BYTES));
      return new Uint8Array(randomBytes(ED25519_KEY_BYTES));
    });
    if (secret.length !== ED25519_KEY_BYTES) {
      throw new StartError(`${keyFile} does not contain a key of ${ED25519_KEY_BYTES} bytes; restore it from a backup`);
    }
    const signer = createEd25519Signer(secret);
    const vkey = await openName(join(folder, 'witness.vkey'), name, signer.publicKey);
    return { vkey, sign: (message) => signer.sign(message), created };
  } catch (error) {
    if (error instanceof StartError) throw error;
    if (error instanceof NoteError) throw new StartError(`the name of the witness is invalid: ${error.reason}`);
    throw new StartError(error instanceof Error ? error.message : `${keyFile} cannot be read`);
  }
}

async function openName(file: string, name: string | undefined, publicKey: Uint8Array): Promise<Vkey> {
  const known = await readFile(file, 'utf8').catch((error: NodeJS.ErrnoException) => {
    // Only a file that is not there may be made: one that cannot be read just now holds the name that the key has.
    if (error.code !== 'ENOENT') throw new StartError(`${file} cannot be read (${error.code ?? 'unknown reason'})`);
    return undefined;
  });
  if (known === undefined) {
    if (name === undefined) throw new StartError(`${file} is missing; give the name of this witness with --name`);
    const made = createVkey(name, COSIGNATURE_ED25519, publicKey);
    await writeFileAtomically(file, `${formatVkey(made)}\n`, 0o644);
    return made;
  }
  const vkey = parseVkey(known.trim());
  if (formatVkey(vkey) !== formatVkey(createVkey(vkey.name, COSIGNATURE_ED25519, publicKey))) {
    throw new StartError(`${file} does not belong to the key beside it; restore both from one backup`);
  }
  if (name !== undefined && name !== vkey.name) {
    throw new StartError(
      `this key already serves as ${vkey.name}, and a key never changes its name: start with that name, or in another data folder`,
    );
  }
  return vkey;
}
