import { Agent, request } from 'node:http';

/** Sends one create and resolves when its answer is whole. Rejects unless that is a 201. */
export type SendCreate = (body: string) => Promise<void>;

/** A sender on at most so many connections, which are kept; requests beyond them wait their turn. */
export function createSender(url: string, token: string, connections: number): SendCreate {
  const agent = new Agent({ keepAlive: true, maxSockets: connections });
  const target = new URL(url);
  const headers = { Authorization: `Bearer ${token}`, 'Content-Type': 'application/json' };
  return (body) =>
    new Promise((resolve, reject) => {
      const sent = request(
        target,
        { method: 'POST', agent, headers: { ...headers, 'Content-Length': Buffer.byteLength(body) } },
        (response) => {
          response.once('error', reject);
          response.once('end', () => {
            if (response.statusCode === 201) resolve();
            else reject(new Error(`a create was answered with ${response.statusCode}`));
          });
          response.resume();
        },
      );
      sent.once('error', reject);
      sent.end(body);
    });
}
