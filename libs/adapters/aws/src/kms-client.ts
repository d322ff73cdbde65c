import { KMSClient } from '@aws-sdk/client-kms';
import { createRoleCredentials } from './role-credentials.ts';

const ATTEMPTS_MAX = 3;

/** The region of a key's ARN, which a key in another account or region needs; undefined for an id or alias. */
export function regionOf(keyId: string): string | undefined {
  return /^arn:[\w-]+:kms:([a-z0-9-]+):/.exec(keyId)?.[1];
}

/** KMS in a region, or in that of the environment, by the role of the process. */
export function createKmsClient(region: string | undefined): KMSClient {
  const credentials = createRoleCredentials(region);
  return new KMSClient({
    ...(region === undefined ? {} : { region }),
    maxAttempts: ATTEMPTS_MAX,
    async credentials() {
      const { accessKey, secretKey, sessionToken, expiresAtMs } = await credentials();
      return {
        accessKeyId: accessKey,
        secretAccessKey: secretKey,
        ...(sessionToken === undefined ? {} : { sessionToken }),
        ...(expiresAtMs === undefined ? {} : { expiration: new Date(expiresAtMs) }),
      };
    },
  });
}

/** Why KMS did not do something with a key: `away` may pass, for `refused` somebody has to change something. */
type KmsFailure = { readonly kind: 'away' | 'refused'; readonly message: string };

/** What to do about an error of KMS, by its name; the messages may have anything in them. */
const REFUSALS: Readonly<Record<string, string>> = {
  InvalidCiphertextException: 'what is wrapped is not of this key and purpose, or was altered',
  IncorrectKeyException: 'what is wrapped is of another key',
  NotFoundException: 'there is no such key in this account and region',
  DisabledException: 'the key is disabled: enable it',
  KMSInvalidStateException: 'the key is about to be deleted, or waits for its material',
  InvalidKeyUsageException: 'the key is of another kind: a symmetric one wraps, an Ed25519 one signs',
  KeyUnavailableException: 'the key is not available now',
  LimitExceededException: 'the account has as many keys as it may have: ask for a higher quota',
  UnsupportedOperationException: 'KMS of this region cannot do this with the key',
  ValidationException: 'KMS of this region does not take the request; Ed25519 keys may be missing there',
  AccessDeniedException:
    'this process may not use the key: allow its role kms:Decrypt (and kms:Encrypt to wrap) for the master key, and ' +
    'kms:Sign and kms:GetPublicKey (and kms:CreateKey to make one) for keys of logs',
  UnrecognizedClientException: 'KMS does not know the credentials of this process',
  InvalidSignatureException: 'the secret of the credentials is wrong, or the clock of this machine',
  ExpiredTokenException: 'the credentials of this process have ended',
};

/** In words without what the messages of AWS may have in them. */
export function describeKmsFailure(key: string, error: unknown): KmsFailure {
  if (error instanceof Error && error.name === 'PlatformCredentialsError')
    return { kind: 'refused', message: `${key}: ${error.message}` };
  // The name may be what somebody in the place of KMS has sent.
  const name = error instanceof Error && /^\w{1,60}$/.test(error.name) ? error.name : '';
  const isRegionMissing = error instanceof Error && error.message === 'Region is missing';
  const why = isRegionMissing ? 'its region is unknown: name the key by its ARN, or set AWS_REGION' : REFUSALS[name];
  if (why !== undefined) return { kind: 'refused', message: `${key}: ${why}` };
  return { kind: 'away', message: `KMS does not respond for ${key}${name === '' ? '' : ` (${name})`}` };
}
