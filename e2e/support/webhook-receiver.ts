import { Webhook } from 'standardwebhooks';
import { listen } from '@answer-evidence/testing';

/** A delivery as it came. */
export type Received = {
  readonly id: string;
  readonly headers: Readonly<Record<string, string>>;
  readonly text: string;
  readonly body: { readonly type: string; readonly data: Readonly<Record<string, any>> };
};

/** A receiver on a free port, which responds what `respond` says, with the status 204 at first. */
export async function openReceiver() {
  const received: Received[] = [];
  let respond: (body: Received) => number = () => 204;
  let arrived = (): void => undefined;
  const server = await listen((request, response) => {
    let text = '';
    request.setEncoding('utf8');
    request.on('data', (chunk: string) => (text += chunk));
    request.on('end', () => {
      const headers = Object.fromEntries(
        Object.entries(request.headers).map(([name, value]) => [name, String(value)] as const),
      );
      const one = { id: headers['webhook-id'] ?? '', headers, text, body: JSON.parse(text) };
      received.push(one);
      response.writeHead(respond(one)).end();
      arrived();
    });
  });
  return {
    url: `${server.url}/hooks/secret-path`,
    received,
    /** From now on it responds so. */
    responds(how: (body: Received) => number) {
      respond = how;
    },
    /** Resolves with the first delivery that fits, also an earlier one. */
    async waitFor(fits: (one: Received) => boolean): Promise<Received> {
      for (;;) {
        const found = received.find(fits);
        if (found !== undefined) return found;
        await new Promise<void>((resolve) => (arrived = resolve));
      }
    },
    close: () => server.close(),
  };
}

/** Verifies a delivery by another author's library, which throws for one that is not signed by the secret. */
export function verifyDelivery(secret: string, { text, headers }: Received): void {
  new Webhook(secret).verify(text, { ...headers });
}
