import { Signer } from '@aws-sdk/rds-signer';
import type { PlatformToken } from '@answer-evidence/ports';
import { createRoleCredentials } from './role-credentials.ts';

/** How long RDS takes a token for a new connection. */
const VALID_MS = 15 * 60_000;

/** A database of RDS or Aurora and the user who logs in. */
type Login = { readonly host: string; readonly port: number; readonly user: string; readonly region?: string };

/**
 * Passwords of a user of RDS who has `rds_iam`, each signed by the role of the process. Throws
 * `PlatformCredentialsError`.
 */
export function createRdsPasswords({ host, port, user, region = regionOf(host) }: Login): () => Promise<PlatformToken> {
  const credentials = createRoleCredentials(region);
  return async () => {
    const keys = await credentials();
    const signer = new Signer({
      hostname: host,
      port,
      username: user,
      ...(region === undefined ? {} : { region }),
      credentials: {
        accessKeyId: keys.accessKey,
        secretAccessKey: keys.secretKey,
        ...(keys.sessionToken === undefined ? {} : { sessionToken: keys.sessionToken }),
      },
    });
    const token = await signer.getAuthToken();
    // A token does not outlive the keys that signed it.
    return { token, expiresAtMs: Math.min(Date.now() + VALID_MS, keys.expiresAtMs ?? Infinity), source: keys.source };
  };
}

/** The region in a host name of RDS; undefined for a name of one's own, where AWS_REGION says it. */
function regionOf(host: string): string | undefined {
  return /\.([a-z]{2}(?:-[a-z]+)+-\d)\.rds\.amazonaws\.com(?:\.cn)?$/.exec(host)?.[1];
}
