import type { Queue } from 'bullmq';
import type { BoardReply, QueueBoard } from '@answer-evidence/ports';
import { openBoardFiles } from './board-files.ts';
import { createBoardServer } from './board-server.ts';
import { createShownQueue } from './shown-queue.ts';

const UI = {
  boardTitle: 'Queues of the Answer Evidence Service',
  hideDocsLink: true,
  pollingInterval: { showSetting: true },
};
const NOT_FOUND: BoardReply = { status: 404, type: 'text/plain; charset=utf-8', body: 'not found\n' };
const UNAVAILABLE: BoardReply = {
  status: 503,
  type: 'application/json',
  body: JSON.stringify({ error: 'the queues cannot be read now' }),
};
/** What the page may load: this host only, no inline scripts, in no frame. The library sets styles of elements. */
const PAGE_HEADERS = {
  'Content-Security-Policy':
    "default-src 'none'; script-src 'self'; style-src 'self' 'unsafe-inline'; img-src 'self' data:; " +
    "font-src 'self'; connect-src 'self'; base-uri 'self'; form-action 'none'; frame-ancestors 'none'",
  'Referrer-Policy': 'no-referrer',
};

/** Opens bull-board on these queues, to be read only. */
export async function openBoard(queues: readonly Queue[], basePath: string): Promise<QueueBoard> {
  const [{ BullMQAdapter, createBullBoard }, files] = await Promise.all([
    import('./board-packages.ts'),
    openBoardFiles(),
  ]);
  const server = createBoardServer(basePath);
  createBullBoard({
    queues: queues.map((queue) => createShownQueue(BullMQAdapter, queue)),
    serverAdapter: server.adapter,
    // The files are opened here; the package's own folder does not exist beside a bundle.
    options: { uiBasePath: '.', uiConfig: UI },
  });
  return {
    async get(path, query) {
      try {
        const file = await files.find(path);
        if (file !== undefined) return { status: 200, ...file };
        const values = server.findPage(path);
        if (values !== undefined)
          return { status: 200, type: 'text/html; charset=utf-8', headers: PAGE_HEADERS, body: files.page(values) };
        return (await server.findReply(path, query)) ?? NOT_FOUND;
      } catch {
        return UNAVAILABLE;
      }
    },
  };
}
