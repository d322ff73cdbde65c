import { defaultProvider } from '@aws-sdk/credential-provider-node';
import { PlatformCredentialsError, type PlatformKeys } from '@answer-evidence/ports';

/** Where Amazon's chain found keys, by the beginning of the mark that it leaves on them; the first one here counts. */
const SOURCES: readonly (readonly [mark: string, source: string])[] = [
  ['CREDENTIALS_ENV_VARS_STS_WEB_ID_TOKEN', 'the role of AWS_ROLE_ARN, by the token in AWS_WEB_IDENTITY_TOKEN_FILE'],
  ['CREDENTIALS_ENV_VARS', 'AWS_ACCESS_KEY_ID in the environment'],
  ['CREDENTIALS_PROFILE', 'a profile of the AWS configuration'],
  ['CREDENTIALS_SSO', 'a profile of the AWS configuration'],
  ['CREDENTIALS_PROCESS', 'a profile of the AWS configuration'],
  ['CREDENTIALS_HTTP', 'the role of the container (ECS task or EKS pod identity)'],
];
/** Keys of the metadata server of EC2 have no mark. */
const OTHER_SOURCE = 'the role of the EC2 instance';
/** Of STS, where nothing else is said. */
const REGION = 'us-east-1';
/** Metadata servers are near: one that does not exist has to be told apart before a start gives up. */
const METADATA_MS = 2_000;
const METADATA_RETRIES = 2;

/**
 * Keys as the platform of Amazon gives them: of the environment, a web identity token, an ECS task, an EKS pod or an
 * EC2 instance, in the order of Amazon's own programs. Each call gives keys that are valid; they are replaced from five
 * minutes before they end, in the background while they still hold. Throws `PlatformCredentialsError`.
 */
export function createRoleCredentials(region: string | undefined): () => Promise<PlatformKeys> {
  const provide = defaultProvider({
    timeout: METADATA_MS,
    maxRetries: METADATA_RETRIES,
    clientConfig: { region: process.env['AWS_REGION'] || process.env['AWS_DEFAULT_REGION'] || region || REGION },
  });
  return async () => {
    try {
      const keys = await provide();
      return {
        accessKey: keys.accessKeyId,
        secretKey: keys.secretAccessKey,
        sessionToken: keys.sessionToken,
        expiresAtMs: keys.expiration?.getTime(),
        source: nameSource('$source' in keys ? keys.$source : undefined),
      };
    } catch (cause) {
      throw new PlatformCredentialsError(describe(cause), { cause });
    }
  };
}

function nameSource(marks: unknown): string {
  const found = typeof marks === 'object' && marks !== null ? Object.keys(marks) : [];
  return SOURCES.find(([mark]) => found.some((name) => name.startsWith(mark)))?.[1] ?? OTHER_SOURCE;
}

/** By the name of the error alone: a message of a remote party may have anything in it. */
function describe(error: unknown): string {
  const name = error instanceof Error ? error.name : 'unknown reason';
  if (name === 'CredentialsProviderError' || name === 'ProviderError')
    return (
      'no credentials of AWS were found: let the platform give the process a role (IRSA, EKS pod identity, an ECS task ' +
      'role, an EC2 instance profile), or set keys'
    );
  return `AWS gives no credentials (${name}): look whether the role exists and trusts this process`;
}
