import { readFileSync } from 'node:fs';
import { StartError } from './start-error.ts';

/** Settings that are secrets, or contain one: each may be in a file, which the variable `<name>_FILE` names. */
export const SECRET_SETTINGS = [
  'SERVICE_MASTER_KEY',
  'SERVICE_NEW_MASTER_KEY',
  'SERVICE_MASTER_KEY_WRAPPED',
  'SERVICE_NEW_MASTER_KEY_WRAPPED',
  'DATABASE_URL',
  'REDIS_URL',
  'S3_ACCESS_KEY',
  'S3_SECRET_KEY',
  'S3_SESSION_TOKEN',
  'SERVICE_OIDC_CLIENT_SECRET',
  'SERVICE_SMTP_URL',
  'SERVICE_QUEUE_BOARD_TOKEN',
  'OTEL_EXPORTER_OTLP_HEADERS',
  'PKCS11_PIN',
] as const;

/** Variables of a process. */
export type Environment = Readonly<Record<string, string | undefined>>;

/**
 * The environment with the secrets of the files that it names. A line break at the end of a file is not part of its
 * secret. Throws `StartError`, which says nothing of what a file contains.
 */
export function readSecretFiles(environment: Environment): Environment {
  const secrets = SECRET_SETTINGS.flatMap((name) => {
    const file = environment[`${name}_FILE`];
    if (file === undefined || file === '') return [];
    if (environment[name] !== undefined && environment[name] !== '')
      throw new StartError(`${name} and ${name}_FILE are both set; unset one of them`);
    return [[name, readSecret(`${name}_FILE`, file)] as const];
  });
  return { ...environment, ...Object.fromEntries(secrets) };
}

function readSecret(variable: string, file: string): string {
  let text: string;
  try {
    text = readFileSync(file, 'utf8');
  } catch (error) {
    const code = error instanceof Error && 'code' in error ? String(error.code) : 'unknown reason';
    throw new StartError(`${variable} names ${file}, which cannot be read (${code}); correct the path or its mode`);
  }
  const secret = text.replace(/\r?\n$/, '');
  if (secret === '') throw new StartError(`${variable} names ${file}, which is empty; write the secret into it`);
  return secret;
}
