/** Calls the service with a JSON body and returns the reply's; throws for what is not 2xx. */
export type CallService = <Body>(method: string, path: string, body?: unknown) => Promise<Body>;

/** Calls with a token. */
export function createCalls(baseUrl: string, token: string): CallService {
  return async <Body>(method: string, path: string, body?: unknown) => {
    const response = await fetch(`${baseUrl}${path}`, {
      method,
      headers: { Authorization: `Bearer ${token}`, 'Content-Type': 'application/json' },
      ...(body === undefined ? {} : { body: JSON.stringify(body) }),
    });
    const text = await response.text();
    if (!response.ok) throw new Error(`${method} ${path} was answered ${String(response.status)}: ${text}`);
    return (text === '' ? undefined : JSON.parse(text)) as Body;
  };
}
