import type { createBullBoard } from '@bull-board/api';
import type { BoardReply } from '@answer-evidence/ports';

type Adapter = Parameters<typeof createBullBoard>[0]['serverAdapter'];
type Entry = Parameters<Adapter['setEntryRoute']>[0];
type ApiRoute = Parameters<Adapter['setApiRoutes']>[0][number];
type Queues = Parameters<Adapter['setQueues']>[0];
type UiConfig = Parameters<Adapter['setUIConfig']>[0];

const PARAMETER = /:(\w+)/g;
/** Trees of jobs, which the service does not make. The library would show values of jobs that nobody has looked at. */
const FLOW = /^\/api\/queues\/[^/]+\/([^/]+)\/flow\/?$/;

/** What bull-board registers with a server. Only what reads is kept: nothing here can change a queue. */
export function createBoardServer(basePath: string) {
  let queues: Queues = new Map();
  let uiConfig: UiConfig = {};
  let entry: { readonly route: Entry; readonly paths: readonly RegExp[] } | undefined;
  let api: readonly { readonly route: ApiRoute; readonly path: RegExp }[] = [];
  const adapter: Adapter = {
    setQueues(given) {
      queues = given;
      return adapter;
    },
    // The files of the pages are served by `openBoard`, which knows where they are.
    setViewsPath: () => adapter,
    setStaticPath: () => adapter,
    setErrorHandler: () => adapter,
    setUIConfig(given) {
      uiConfig = given;
      return adapter;
    },
    setEntryRoute(route) {
      entry = { route, paths: [route.route].flat().map(toExpression) };
      return adapter;
    },
    setApiRoutes(routes) {
      api = routes
        .filter(({ method }) => [method].flat().includes('get'))
        .flatMap((route) => [route.route].flat().map((path) => ({ route, path: toExpression(path) })));
      return adapter;
    },
  };
  return {
    adapter,
    /** What the page is filled with, where the path is one of a page. */
    findPage(path: string): Readonly<Record<string, string>> | undefined {
      if (entry?.paths.some((one) => one.test(path)) !== true) return undefined;
      return entry.route.handler({ basePath, uiConfig }).params;
    },
    /** The reply of the interface behind the pages; throws what the queue throws. */
    async findReply(path: string, query: URLSearchParams): Promise<BoardReply | undefined> {
      const [, nodeId] = FLOW.exec(path) ?? [];
      if (nodeId !== undefined) return formatReply(200, { nodeId: decode(nodeId), isFlowNode: false, flowRoot: null });
      for (const one of api) {
        const match = one.path.exec(path);
        if (match === null) continue;
        const { status = 200, body } = await one.route.handler({
          queues,
          uiConfig,
          query: Object.fromEntries(query),
          params: Object.fromEntries(Object.entries(match.groups ?? {}).map(([name, value]) => [name, decode(value)])),
          body: {},
          headers: {},
        });
        return formatReply(status, body);
      }
      return undefined;
    },
  };
}

function formatReply(status: number, body: unknown): BoardReply {
  return { status, type: 'application/json', body: JSON.stringify(body) };
}

/** `/queue/:name` as an expression with a group per parameter. */
function toExpression(path: string): RegExp {
  return new RegExp(`^${path.replaceAll('.', '\\.').replaceAll(PARAMETER, '(?<$1>[^/]+)')}/?$`);
}

function decode(text: string): string {
  try {
    return decodeURIComponent(text);
  } catch {
    return text;
  }
}
