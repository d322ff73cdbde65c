import { listen } from '@answer-evidence/testing';

/** Stands before a server: passes on while `isOn`, and responds 503 otherwise. */
export async function openSwitchedServer(behind: string) {
  let isOn = false;
  const server = await listen((request, response) => {
    const parts: Buffer[] = [];
    request.on('data', (part: Buffer) => parts.push(part));
    request.on('end', () => {
      if (!isOn) {
        response.writeHead(503).end();
        return;
      }
      const headers = { 'Content-Type': request.headers['content-type'] ?? 'text/plain' };
      fetch(new URL(request.url ?? '/', behind), { method: 'POST', headers, body: Buffer.concat(parts) }).then(
        async (reply) => {
          response.writeHead(reply.status, { 'Content-Type': reply.headers.get('content-type') ?? 'text/plain' });
          response.end(Buffer.from(await reply.arrayBuffer()));
        },
        () => response.writeHead(502).end(),
      );
    });
  });
  return {
    url: server.url,
    switchOn(): void {
      isOn = true;
    },
    close: () => server.close(),
  };
}
