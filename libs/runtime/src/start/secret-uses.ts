import type { SECRET_SETTINGS } from '../ground/secret-files.ts';

/** When a secret that has changed in its file comes into use: for what is done next, or when the process starts. */
type SecretUse = { readonly from: 'next use' | 'restart'; readonly how: string };

/** Of every secret, as docs/configuration.md tells it. */
export const SECRET_USES: Readonly<Record<(typeof SECRET_SETTINGS)[number], SecretUse>> = {
  SERVICE_MASTER_KEY: {
    from: 'restart',
    how: 'Every other key and the logins of the database are made of it; `npm run operator -- keys-rewrap` replaces it',
  },
  SERVICE_NEW_MASTER_KEY: { from: 'restart', how: 'Only `npm run operator -- keys-rewrap` reads it' },
  SERVICE_MASTER_KEY_WRAPPED: { from: 'restart', how: 'It is unwrapped once, when the process starts' },
  SERVICE_NEW_MASTER_KEY_WRAPPED: {
    from: 'restart',
    how: 'Only `npm run operator -- keys-rewrap` reads it, in place of `SERVICE_NEW_MASTER_KEY`',
  },
  DATABASE_URL: {
    from: 'next use',
    how:
      'Its password, for the next connection as the owner. Requests use logins of the service, whose passwords are ' +
      'made of the master key. Another server, user or database needs a restart',
  },
  REDIS_URL: {
    from: 'next use',
    how:
      'Its names and passwords, also those for Sentinels, for the next connection; open ones go on. Another server or ' +
      'database needs a restart',
  },
  S3_ACCESS_KEY: { from: 'next use', how: 'For the next request, together with the secret key' },
  S3_SECRET_KEY: { from: 'next use', how: 'For the next request' },
  S3_SESSION_TOKEN: { from: 'next use', how: 'For the next request, together with both keys' },
  SERVICE_OIDC_CLIENT_SECRET: { from: 'next use', how: 'For the next sign-in' },
  SERVICE_SMTP_URL: { from: 'restart', how: 'Mails that the old one does not let through wait meanwhile' },
  SERVICE_QUEUE_BOARD_TOKEN: { from: 'next use', how: 'For the next request; the token before it ends' },
  OTEL_EXPORTER_OTLP_HEADERS: { from: 'next use', how: 'For the next traces that are sent' },
  PKCS11_PIN: {
    from: 'restart',
    how: 'The token is logged in to with it when the process starts, and after a lost session',
  },
};
