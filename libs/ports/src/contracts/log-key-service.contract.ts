import { equalBytes, utf8 } from '@answer-evidence/encoding';
import { LogKeyError, type LogKeyService } from '../log-key-service.ts';
import { assertKept, type ContractCase } from './contract-case.ts';

/** A service of keys, and what verifies what it signs. */
export type LogKeyServiceFixture = {
  readonly service: LogKeyService;
  readonly verify: (publicKey: Uint8Array, message: Uint8Array, signature: Uint8Array) => boolean;
  /** A reference that no key has. */
  readonly unknown: string;
};

const CHECKPOINT = utf8('example.com/log\n42\nA4mSt9wGBhe4Gpm2bOCxJdL2TFfdyEEkzUCCTYzbpCA=\n');

async function refusalOf(action: Promise<unknown>): Promise<LogKeyError | undefined> {
  return action.then(
    () => undefined,
    (error: unknown) => (error instanceof LogKeyError ? error : undefined),
  );
}

/** What every adapter of `LogKeyService` keeps. */
export const logKeyServiceContract: readonly ContractCase<LogKeyServiceFixture>[] = [
  {
    guarantee: 'signs by Ed25519 with the key that it made, the same bytes each time',
    async prove({ service, verify }) {
      const { reference, publicKey } = await service.createKey('a log');
      const first = await service.sign(reference, CHECKPOINT);
      assertKept(verify(publicKey, CHECKPOINT, first), 'the signature is of the key and the message');
      assertKept(!verify(publicKey, utf8('another'), first), 'the signature is of no other message');
      assertKept(equalBytes(first, await service.sign(reference, CHECKPOINT)), 'a message is signed the same');
      assertKept(equalBytes(publicKey, await service.publicKeyOf(reference)), 'the public half is what it was');
    },
  },
  {
    guarantee: 'keeps keys apart, and signs for several at once',
    async prove({ service, verify }) {
      const keys = [await service.createKey('one log'), await service.createKey('another log')];
      assertKept(keys[0]?.reference !== keys[1]?.reference, 'keys have references of their own');
      const messages = Array.from({ length: 20 }, (_, n) => utf8(`checkpoint ${n}\n`));
      const signed = await Promise.all(
        messages.map(async (message, n) => {
          const key = keys[n % 2] ?? { reference: '', publicKey: new Uint8Array() };
          return verify(key.publicKey, message, await service.sign(key.reference, message));
        }),
      );
      assertKept(!signed.includes(false), 'each signature is of its key and its message');
    },
  },
  {
    guarantee: 'signs the shortest message and the longest',
    async prove({ service, verify }) {
      const { reference, publicKey } = await service.createKey('a log');
      for (const message of [new Uint8Array(1), new Uint8Array(4_096).fill(7)])
        assertKept(verify(publicKey, message, await service.sign(reference, message)), `${message.length} bytes`);
    },
  },
  {
    guarantee: 'refuses a key that it does not have, and goes on',
    async prove({ service, unknown }) {
      const refusal = await refusalOf(service.sign(unknown, CHECKPOINT));
      assertKept(refusal?.kind === 'refused', 'a key that is not there does not sign');
      assertKept((await refusalOf(service.publicKeyOf(unknown)))?.kind === 'refused', 'it has no public half');
      const { reference } = await service.createKey('a log');
      assertKept((await service.sign(reference, CHECKPOINT)).length === 64, 'other keys sign');
    },
  },
];
