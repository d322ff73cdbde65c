import { trimSlashes } from '@answer-evidence/encoding';
import { UsageError } from './usage-error.ts';

const LOOPBACK = /^(localhost|.+\.localhost|127\.\d{1,3}\.\d{1,3}\.\d{1,3}|\[::1\])$/;

/**
 * The registry as a base URL. Throws `UsageError` for one that is not http(s), for plain http beyond this machine (the
 * token would cross a network in clear), and for anything but an origin with a path. The message never quotes the
 * value, which could hold a password.
 */
export function parseRegistry(text: string, source: string): string {
  if (!URL.canParse(text)) throw new UsageError(`the registry (${source}) must be a URL such as https://host`);
  const url = new URL(text);
  if (url.protocol !== 'https:' && url.protocol !== 'http:') {
    throw new UsageError(`the registry (${source}) must begin with https:// (or http:// for this machine itself)`);
  }
  if (url.username !== '' || url.password !== '' || url.search !== '' || url.hash !== '') {
    throw new UsageError(`the registry (${source}) must have no user name, password, query or fragment`);
  }
  if (url.protocol === 'http:' && !LOOPBACK.test(url.hostname)) {
    throw new UsageError(
      `the registry (${source}) is http:// to ${url.hostname}: the token would cross the network in clear; use https://`,
    );
  }
  return url.origin + trimSlashes(url.pathname);
}
