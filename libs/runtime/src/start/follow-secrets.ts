import { type Config, parseConfig, type SETTINGS } from './config.ts';
import type { Report } from './report.ts';
import { type Environment, readSecretFiles } from './secret-files.ts';

/** Secrets that are used anew each time, so that a changed one needs no restart. All others are read once. */
export const FOLLOWED_SECRETS = [
  'S3_ACCESS_KEY',
  'S3_SECRET_KEY',
  'SERVICE_QUEUE_BOARD_TOKEN',
] as const satisfies readonly (keyof typeof SETTINGS)[];

/** How often the files are looked at. Watching tells nothing of a folder that is mounted anew or of a link. */
const LOOK_MS = 2_000;

/**
 * The settings of an environment, of which the secrets in `FOLLOWED_SECRETS` become what their files contain when these
 * change, all of one look together, until `stop` is called. What cannot be used is reported once, and the values before
 * it stay. Throws `StartError`.
 */
export function followSecrets(environment: Environment, report: Report): { readonly config: Config; stop(): void } {
  const first = parseConfig(readSecretFiles(environment));
  const followed = FOLLOWED_SECRETS.filter((name) => (environment[`${name}_FILE`] ?? '') !== '');
  if (followed.length === 0) return { config: first, stop: () => undefined };
  let current = first;
  let reported = '';
  function look(): void {
    try {
      const next = parseConfig(readSecretFiles(environment));
      reported = '';
      const changed = followed.filter((name) => next[name] !== current[name]);
      if (changed.length === 0) return;
      current = next;
      report(`took up a new ${changed.join(' and ')}`);
    } catch (error) {
      const reason = error instanceof Error ? error.message : 'unknown reason';
      if (reason !== reported) report(`the previous secrets stay in use: ${reason}`);
      reported = reason;
    }
  }
  const timer = setInterval(look, LOOK_MS).unref();
  const config = { ...first };
  for (const name of followed) Object.defineProperty(config, name, { enumerable: true, get: () => current[name] });
  return { config, stop: () => clearInterval(timer) };
}
