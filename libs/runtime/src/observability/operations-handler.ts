import type { IncomingMessage, ServerResponse } from 'node:http';
import type { BoardReply, ClockState } from '@answer-evidence/ports';
import type { SharedSpace } from './folder-watch.ts';
import type { Metrics } from './metrics.ts';
import { BOARD_PATH, type QueueBoardPages } from './queue-board.ts';

/** Whether this process can serve, and the names of the parts that keep it from it. */
export type Readiness = {
  readonly ok: boolean;
  readonly failing: readonly string[];
  /** What the clock of the process is; only one that is behind keeps it from serving. */
  readonly clock?: ClockState;
  /** Logs on which nothing is signed, because an outside party has seen more of them. */
  readonly stoppedLogs?: number;
  /** Standbys of the database that a failover may lead to, while no commit waits for one. */
  readonly asynchronousStandbys?: number;
  /** Nodes of the database that do not answer, each with its workspaces. */
  readonly unavailableNodes?: readonly string[];
  /** Ids of workspaces that are not served, because their rows were altered. */
  readonly damagedWorkspaces?: readonly string[];
  /** File systems that are nearly full, by the folders on them that this process writes to. */
  readonly shortFolders?: readonly SharedSpace[];
  /** Names of folders whose file system does not answer. */
  readonly silentFolders?: readonly string[];
};

/** What the operations port answers from. */
type OperationsOptions = {
  readonly metrics: Pick<Metrics, 'registry'>;
  readonly readiness: () => Promise<Readiness>;
  /** Where there is a queue board. */
  readonly board?: Pick<QueueBoardPages, 'get'> | undefined;
};

/**
 * Handler of the operations port: `/livez`, `/readyz` and `/metrics`, which need no token (keep the port private), and
 * the queue board, which needs one.
 */
export function createOperationsHandler(
  options: OperationsOptions,
): (req: IncomingMessage, res: ServerResponse) => void {
  return (req, res) => {
    void answer(options, req).then((reply) => {
      const body = req.method === 'HEAD' ? undefined : reply.body;
      res.writeHead(reply.status, {
        'Content-Type': reply.type,
        'Content-Length': Buffer.byteLength(reply.body),
        'Cache-Control': 'no-store',
        'X-Content-Type-Options': 'nosniff',
        ...reply.headers,
      });
      res.end(body);
    });
  };
}

/** Never rejects: what fails is an answer of its own. */
async function answer(options: OperationsOptions, req: IncomingMessage): Promise<BoardReply> {
  if (req.method !== 'GET' && req.method !== 'HEAD') return plain(405, 'method not allowed\n');
  const [path, query] = (req.url ?? '').split('?', 2);
  if (options.board !== undefined && (path === BOARD_PATH || path?.startsWith(`${BOARD_PATH}/`) === true))
    return await options.board.get(path.slice(BOARD_PATH.length), query, req.headers.authorization);
  switch (path) {
    case '/livez':
      return plain(200, 'ok\n');
    case '/readyz':
      return await answerReadiness(options);
    case '/metrics':
      return await answerMetrics(options);
    default:
      return plain(404, 'not found\n');
  }
}

async function answerReadiness(options: OperationsOptions): Promise<BoardReply> {
  const readiness = await options.readiness().catch((): Readiness => ({ ok: false, failing: ['readiness'] }));
  const { ok, stoppedLogs = 0, asynchronousStandbys = 0, damagedWorkspaces = [], ...others } = readiness;
  const { shortFolders = [], silentFolders = [], unavailableNodes = [], ...rest } = others;
  const body = {
    ok,
    ...rest,
    ...(stoppedLogs === 0 ? {} : { stopped_logs: stoppedLogs }),
    ...(asynchronousStandbys === 0 ? {} : { asynchronous_standbys: asynchronousStandbys }),
    ...(unavailableNodes.length === 0 ? {} : { unavailable_nodes: unavailableNodes }),
    ...(damagedWorkspaces.length === 0 ? {} : { damaged_workspaces: damagedWorkspaces }),
    ...(shortFolders.length === 0 ? {} : { short_folders: shortFolders.map(describeSpace) }),
    ...(silentFolders.length === 0 ? {} : { silent_folders: silentFolders }),
  };
  return { status: ok ? 200 : 503, type: 'application/json', body: `${JSON.stringify(body)}\n` };
}

function describeSpace({ folders, path, freeBytes, lowBytes, text }: SharedSpace) {
  return { folders, path, free_bytes: freeBytes, low_bytes: lowBytes, warning: text };
}

async function answerMetrics({ metrics }: OperationsOptions): Promise<BoardReply> {
  try {
    return { status: 200, type: metrics.registry.contentType, body: await metrics.registry.metrics() };
  } catch {
    return plain(500, 'a metric could not be collected\n');
  }
}

function plain(status: number, body: string): BoardReply {
  return { status, type: 'text/plain; charset=utf-8', body };
}
