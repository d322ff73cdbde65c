const PLACEHOLDER = '{workspace}';
const STAND_IN = 'workspace';
const SLUG = /^[a-z0-9](?:[a-z0-9-]{0,61}[a-z0-9])?$/;

/** Whether hosts select workspaces here, and which workspace a `Host` header names. */
export type HostPolicy = {
  /** False: every host is fine, and the token alone decides. */
  readonly selects: boolean;
  /** The slug in the host, or undefined when hosts select nothing or this one is not of our form. */
  workspaceOf(host: string | undefined): string | undefined;
};

/**
 * The policy of a base URL: `https://{workspace}.example.com` gives every workspace a host of its own. Ports are not compared:
 * a proxy may listen on another one. Throws when the URL is not one, or has the placeholder elsewhere.
 */
export function createHostPolicy(baseUrl: string): HostPolicy {
  const url = new URL(baseUrl.replace(PLACEHOLDER, STAND_IN));
  const at = baseUrl.indexOf(PLACEHOLDER);
  if (at < 0) return { selects: false, workspaceOf: () => undefined };
  if (at !== url.protocol.length + '//'.length || baseUrl.includes(PLACEHOLDER, at + 1)) {
    throw new Error(`a base URL may hold ${PLACEHOLDER} once, at the start of its host`);
  }
  const suffix = url.hostname.slice(STAND_IN.length);
  return {
    selects: true,
    workspaceOf(host) {
      const name = host?.split(':', 1)[0]?.toLowerCase();
      if (name === undefined || !name.endsWith(suffix)) return undefined;
      const slug = name.slice(0, name.length - suffix.length);
      return SLUG.test(slug) ? slug : undefined;
    },
  };
}
