import { Agent, request } from 'node:http';

/** What the service acknowledged of one create. */
export type Acknowledged = {
  readonly id: string;
  readonly receipt: string;
  readonly entry: string;
  readonly leafIndex: number;
  readonly leafHash: string;
};

/** What a run of creates came to. */
type LoadResult = {
  readonly acknowledged: ReadonlyMap<string, Acknowledged>;
  /** How often a create was sent again, by what happened to it. */
  readonly retries: ReadonlyMap<string, number>;
};

/** A reply to a create. */
type CreateReply = { readonly status: number; readonly retryAfter: string | undefined; readonly text: string };

/** A start takes seconds, and each attempt meanwhile takes processor time from it. */
const RETRY_PAUSE_MS = 150;
const ATTEMPTS_MAX = 600;

/**
 * Sends a create for every key, over that many connections, and again with the same key whenever a connection fails or
 * the service says 5xx, as the interface asks of clients. Any other refusal rejects. `baseUrls` take turns;
 * `onAcknowledged` gets the count so far.
 */
export async function createAll(options: {
  readonly keys: readonly string[];
  readonly connections: number;
  readonly token: string;
  readonly baseUrls: readonly string[];
  readonly onAcknowledged: (count: number) => void;
}): Promise<LoadResult> {
  const agent = new Agent({ keepAlive: true, maxSockets: options.connections });
  const acknowledged = new Map<string, Acknowledged>();
  const retries = new Map<string, number>();
  let next = 0;
  let turn = 0;

  async function createOne(key: string): Promise<Acknowledged> {
    for (let attempt = 0; attempt < ATTEMPTS_MAX; attempt++) {
      const baseUrl = options.baseUrls[turn++ % options.baseUrls.length] ?? '';
      let failure: string;
      try {
        const reply = await sendCreate(agent, baseUrl, options.token, key);
        if (reply.status === 201) return readAcknowledged(reply.text);
        if (reply.status < 500) throw new Error(`a create was refused: ${reply.status} ${reply.text}`);
        failure = `${reply.status}, Retry-After ${reply.retryAfter ?? 'missing'}`;
      } catch (error) {
        // By shape: in a test, the system's errors are of another realm.
        if (typeof error !== 'object' || error === null || !('code' in error)) throw error;
        failure = String(error.code);
      }
      retries.set(failure, (retries.get(failure) ?? 0) + 1);
      await new Promise((resolve) => setTimeout(resolve, RETRY_PAUSE_MS));
    }
    throw new Error(`a create was never acknowledged: ${key}`);
  }

  async function work(): Promise<void> {
    for (let key = options.keys[next++]; key !== undefined; key = options.keys[next++]) {
      acknowledged.set(key, await createOne(key));
      options.onAcknowledged(acknowledged.size);
    }
  }
  try {
    await Promise.all(Array.from({ length: options.connections }, work));
  } finally {
    agent.destroy();
  }
  return { acknowledged, retries };
}

function readAcknowledged(text: string): Acknowledged {
  const { id, receipt, ledger } = JSON.parse(text);
  return { id, receipt, entry: ledger.entry, leafIndex: ledger.leaf_index, leafHash: ledger.leaf_hash };
}

/** Sends one create, once. Rejects with the system's error when the connection fails. */
export function sendCreate(agent: Agent, baseUrl: string, token: string, key: string): Promise<CreateReply> {
  const body = JSON.stringify({
    application_key: 'support-bot',
    idempotency_key: key,
    question: { text: `question of ${key}` },
    answer: { text: `answer of ${key}` },
  });
  return new Promise((resolve, reject) => {
    const sent = request(
      `${baseUrl}/api/answer-audit-logs`,
      {
        agent,
        method: 'POST',
        headers: {
          Authorization: `Bearer ${token}`,
          'Content-Type': 'application/json',
          'Content-Length': Buffer.byteLength(body),
        },
      },
      (response) => {
        const chunks: Buffer[] = [];
        response.on('data', (chunk: Buffer) => chunks.push(chunk));
        response.once('error', reject);
        response.once('end', () =>
          resolve({
            status: response.statusCode ?? 0,
            retryAfter: response.headers['retry-after'],
            text: Buffer.concat(chunks).toString(),
          }),
        );
      },
    );
    sent.once('error', reject);
    sent.end(body);
  });
}
