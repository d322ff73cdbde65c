import * as z from 'zod';
import { WRAPPED_KEY } from '../wrapped-master-key.ts';

/** Who says what the service shows to its stores, where that is no secret of the operator's. */
export const CREDENTIALS_SETTINGS = {
  SERVICE_MASTER_KEY_WRAPPED: {
    schema: z
      .string()
      .regex(WRAPPED_KEY, 'must be what npm run operator -- master-key-wrap prints')
      .meta({ description: '`aws-kms:` or `pkcs11:`, the key, `#` and base64' })
      .optional(),
    purpose:
      'The master key, wrapped by a key management service or an HSM, which unwraps it at each start; in place of ' +
      'SERVICE_MASTER_KEY. npm run operator -- master-key-wrap makes it',
  },
  DATABASE_CREDENTIALS: {
    schema: z.enum(['url', 'aws', 'google'], 'must be url, aws or google').default('url'),
    purpose:
      'Who gives the password of the owner in DATABASE_URL. url: the URL. aws: a token for RDS and Aurora, signed by ' +
      'the role of the process. google: a token for Cloud SQL of the service account of the process. Tokens are ' +
      'replaced before they end; the logins that the service makes keep passwords of their own',
  },
  REDIS_TLS_CA_FILE: {
    schema: z.string().min(1).optional(),
    purpose:
      'File with the authorities (PEM) of the certificate of a Redis that is reached by rediss. Default: those of Node',
  },
  REDIS_TLS_CERT_FILE: {
    schema: z.string().min(1).optional(),
    purpose: 'File with the certificate (PEM) that the service shows to Redis, with REDIS_TLS_KEY_FILE',
  },
  REDIS_TLS_KEY_FILE: { schema: z.string().min(1).optional(), purpose: 'File with the key of that certificate (PEM)' },
  S3_CREDENTIALS: {
    schema: z.enum(['keys', 'aws', 'google'], 'must be keys, aws or google').default('keys'),
    purpose:
      'What allows requests to the bucket. keys: S3_ACCESS_KEY and S3_SECRET_KEY. aws: the role of the process, as the ' +
      'platform gives it (IRSA, EKS pod identity, ECS task, EC2 instance), or an STS that AWS_ENDPOINT_URL_STS names. ' +
      'google: the service account of the process, for Cloud Storage. Both are replaced before they end',
  },
  S3_SESSION_TOKEN: {
    schema: z.string().min(1).optional(),
    purpose: 'Token of the session that S3_ACCESS_KEY and S3_SECRET_KEY are of, if they are temporary',
  },
} as const;
