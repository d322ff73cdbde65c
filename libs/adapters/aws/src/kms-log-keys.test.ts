import { afterEach, beforeEach, describe, expect, it } from '@jest/globals';
import { utf8 } from '@answer-evidence/encoding';
import { verifySignature } from '@answer-evidence/node-crypto';
import { guardOutsideKeys, LogKeyError, type LogKeyService } from '@answer-evidence/ports';
import { logKeyServiceContract } from '@answer-evidence/ports/contracts';
import { type FakeAws, openFakeAws, withVariables } from '@answer-evidence/testing';
import { createKmsLogKeys } from './kms-log-keys.ts';

const ABSENT = 'arn:aws:kms:eu-west-1:111122223333:key/absent';
const MESSAGE = utf8('example.com/log\n1\n');

let aws: FakeAws;
beforeEach(async () => {
  aws = await openFakeAws({ lifetimeMs: 3_600_000 });
});
afterEach(() => aws.close());

/** As in a container of ECS, whose role may use the keys. */
function withKms<T>(action: (service: LogKeyService) => Promise<T>, deadlineMs = 60_000): Promise<T> {
  const variables = {
    AWS_CONFIG_FILE: '/nowhere',
    AWS_SHARED_CREDENTIALS_FILE: '/nowhere',
    AWS_REGION: 'eu-west-1',
    AWS_ENDPOINT_URL_KMS: aws.url,
    AWS_CONTAINER_CREDENTIALS_FULL_URI: `${aws.url}/v2/credentials/task`,
  };
  return withVariables(variables, async () => {
    const service = createKmsLogKeys({ deadlineMs });
    try {
      return await action(service);
    } finally {
      await service.close();
    }
  });
}

async function failureOf(action: Promise<unknown>): Promise<string> {
  try {
    await action;
    return 'nothing failed';
  } catch (error) {
    if (error instanceof LogKeyError) return `${error.kind}: ${error.message}`;
    throw error;
  }
}

describe('keys of logs in AWS KMS', () => {
  for (const promise of logKeyServiceContract)
    it(promise.guarantee, () =>
      withKms((service) => promise.prove({ service, verify: verifySignature, unknown: ABSENT })),
    );

  it('are asked for by requests that the role of the process has signed', () =>
    withKms(async (service) => {
      const { reference } = await service.createKey('a log');
      expect(reference).toMatch(/^arn:aws:kms:eu-west-1:/);
      await service.sign(reference, MESSAGE);
      expect(aws.asked.filter((line) => /^kms by ASIATASK/.test(line))).toHaveLength(3);
      expect(aws.asked.filter((line) => line.startsWith('refused'))).toEqual([]);
    }));

  it('that KMS refuses are named, with what to do', () =>
    withKms(async (service) => {
      const { reference } = await service.createKey('a log');
      aws.setKms('disabled');
      expect(await failureOf(service.sign(reference, MESSAGE))).toBe(
        `refused: the KMS key ${reference}: the key is disabled: enable it`,
      );
      aws.setKms(undefined);
      expect(await service.sign(reference, MESSAGE)).toHaveLength(64);
    }));

  it('are unavailable while KMS does not respond in time', async () => {
    const { reference } = await withKms((service) => service.createKey('a log'));
    await withKms(async (service) => {
      aws.setKms('silent');
      expect(await failureOf(service.sign(reference, MESSAGE))).toMatch(
        /^away: KMS did not respond within 300 ms for /,
      );
    }, 300);
  });

  it('that sign wrongly, or are others than those of the log, never get a signature past the guard', () =>
    withKms(async (service) => {
      const guarded = guardOutsideKeys({ serviceOf: () => service, newIn: 'aws-kms', verify: verifySignature });
      const key = await guarded.create('a log');
      const signer = guarded.signerOf(key);
      aws.setKms('wrong-signature');
      expect(await failureOf(Promise.resolve(signer.sign('text')))).toContain("not of the log's key");
      expect(await failureOf(guarded.create('another log'))).toContain("not of the log's key");
      aws.setKms('other-key');
      expect(await failureOf(signer.examine?.() ?? Promise.resolve())).toContain(
        'AWS KMS has another key than the log',
      );
      aws.setKms(undefined);
      expect(await signer.sign('text')).toHaveLength(64);
    }));
});
