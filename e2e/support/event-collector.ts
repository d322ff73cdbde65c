import { expect } from '@jest/globals';
import { listen } from '@answer-evidence/testing';
import type { Reply, TestService } from '../../tools/scenery/test-service.ts';

/** Where streams are. */
export const STREAMS = '/api/streams';

/** A collector in this process, which responds what it is told, with the status 200 at first. */
export async function openEventCollector() {
  const requests: { readonly headers: Readonly<Record<string, unknown>>; readonly text: string }[] = [];
  let status = 200;
  const server = await listen((request, response) => {
    let text = '';
    request.setEncoding('utf8').on('data', (chunk: string) => (text += chunk));
    request.on('end', () => {
      requests.push({ headers: request.headers, text });
      response.writeHead(status).end('words-of-the-peer');
    });
  });
  return {
    url: `${server.url}/secret-path`,
    requests,
    responds: (to: number) => void (status = to),
    events: () => requests.flatMap(({ text }) => text.trimEnd().split('\n')).map((line) => JSON.parse(line)),
    close: () => server.close(),
  };
}

/** Adds a stream under a name of its own. */
export async function addStreamTo(
  { call }: Pick<TestService, 'call'>,
  destination: object,
  more: object = {},
): Promise<Reply['body']> {
  const body = { name: `stream ${crypto.randomUUID()}`, destination, ...more };
  const reply = await call('POST', STREAMS, { body });
  expect([reply.status, reply.body.errors]).toEqual([201, undefined]);
  return reply.body;
}

/** A stream as it is now. */
export async function readStream({ call }: Pick<TestService, 'call'>, id: string): Promise<Reply['body']> {
  return (await call('GET', `${STREAMS}/${id}`)).body;
}
