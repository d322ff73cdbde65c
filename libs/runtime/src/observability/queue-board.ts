import { createHash, timingSafeEqual } from 'node:crypto';
import type { BoardReply, QueueBoard, ShownQueues } from '@answer-evidence/ports';

/** Where the board is on the operations port. */
export const BOARD_PATH = '/queues';

/** The pages of the queue board behind their token. */
export type QueueBoardPages = {
  /** Shows these queues from now on; before, the board is not ready. */
  show(this: void, queues: ShownQueues): void;
  /** The reply to a GET of a path below the board's own. Never rejects. */
  get(path: string, query: string | undefined, authorization: string | undefined): Promise<BoardReply>;
};

/** The pages of the queue board, where there is a token for them, which is asked for at each request. */
export function createQueueBoardPages(token: () => string | undefined): QueueBoardPages | undefined {
  if (token() === undefined) return undefined;
  let queues: ShownQueues | undefined;
  let opening: Promise<QueueBoard> | undefined;
  return {
    show(given) {
      queues = given;
    },
    async get(path, query, authorization) {
      const given = tokenOf(authorization);
      const wanted = token();
      if (given === undefined || wanted === undefined || !timingSafeEqual(digest(given), digest(wanted)))
        return UNAUTHORIZED;
      if (path === '') return { ...plain(308, 'see /queues/\n'), headers: { Location: `${BOARD_PATH}/` } };
      if (queues === undefined) return plain(503, 'the queues are not open yet\n');
      try {
        // Opened by the first who asks: most processes are never asked.
        opening ??= queues.openBoard(`${BOARD_PATH}/`);
        return await (await opening).get(path, new URLSearchParams(query));
      } catch {
        opening = undefined;
        return plain(503, 'the queue board cannot be opened now\n');
      }
    },
  };
}

/** As browsers send it, who ask for a name and a password, or as programs do. */
function tokenOf(authorization: string | undefined): string | undefined {
  const [, scheme, value] = /^(basic|bearer) +(\S+)$/i.exec(authorization ?? '') ?? [];
  if (scheme?.toLowerCase() === 'bearer') return value;
  const text = Buffer.from(value ?? '', 'base64').toString();
  const colon = text.indexOf(':');
  return colon < 0 ? undefined : text.slice(colon + 1);
}

function digest(text: string): Uint8Array {
  return createHash('sha256').update(text).digest();
}

function plain(status: number, body: string): BoardReply {
  return { status, type: 'text/plain; charset=utf-8', body };
}

const UNAUTHORIZED: BoardReply = {
  ...plain(401, 'the token of SERVICE_QUEUE_BOARD_TOKEN is needed, as a password or a bearer token\n'),
  headers: { 'WWW-Authenticate': 'Basic realm="queue board", charset="UTF-8"' },
};
