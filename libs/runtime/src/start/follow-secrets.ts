import { isSameRedis } from '@answer-evidence/bullmq/redis-address';
import { type Config, parseConfig } from '../ground/config.ts';
import type { Report } from '../ground/report.ts';
import { type Environment, readSecretFiles, SECRET_SETTINGS } from '../ground/secret-files.ts';
import { StartError } from '../ground/start-error.ts';
import { SECRET_USES } from './secret-uses.ts';

type FollowedSecret = Extract<(typeof SECRET_SETTINGS)[number], keyof Config>;

/** How often the files are looked at. Watching tells nothing of a folder that is mounted anew or of a link. */
const LOOK_MS = 2_000;

/**
 * The settings of an environment, of which the secrets that `SECRET_USES` lets become what their files contain when
 * these change, all of one look together, until `stop` is called. What cannot be used is reported once, and the values
 * before it stay. Throws `StartError`.
 */
export function followSecrets(environment: Environment, report: Report): { readonly config: Config; stop(): void } {
  const first = parseConfig(readSecretFiles(environment));
  const followed = SECRET_SETTINGS.filter(
    (name): name is FollowedSecret =>
      SECRET_USES[name].from === 'next use' && (environment[`${name}_FILE`] ?? '') !== '',
  );
  if (followed.length === 0) return { config: first, stop: () => undefined };
  let current = first;
  let reported = '';
  function look(): void {
    try {
      const next = parseConfig(readSecretFiles(environment));
      assertSamePlaces(first, next);
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

/** A process that runs keeps its servers: only what it says to them may change. */
function assertSamePlaces(first: Config, next: Config): void {
  const moved = [
    ...(isSameDatabase(first.DATABASE_URL, next.DATABASE_URL) ? [] : ['DATABASE_URL']),
    ...(first.REDIS_URL === next.REDIS_URL || isSameRedis(first.REDIS_URL ?? '', next.REDIS_URL ?? '')
      ? []
      : ['REDIS_URL']),
  ];
  if (moved.length === 0) return;
  const what = moved.join(' and ');
  const verb = moved.length > 1 ? 'name' : 'names';
  throw new StartError(`${what} ${verb} another place or user than at the start; restart the process to use it`);
}

function isSameDatabase(first: string | undefined, next: string | undefined): boolean {
  if (first === undefined || next === undefined) return first === next;
  const [a, b] = [new URL(first), new URL(next)];
  for (const url of [a, b]) url.password = '';
  return a.href === b.href;
}
