import { EXAMPLES, isResolvable, type OperationExample, resolveReferences } from '@answer-evidence/contracts';
import { until } from '../../scenery/service-process.ts';
import type { Reply, TestService } from '../../scenery/test-service.ts';
import { type Operation, readOperations } from './described-api.ts';

/** Longest list that is shown of a reply. */
const ITEMS_MAX = 2;

/** An example as a service has just answered it. */
export type RunExample = { readonly example: OperationExample; readonly operation: Operation; readonly reply: Reply };

/** What an example sends. */
type ExampleRequest = {
  readonly params: Readonly<Record<string, string>>;
  readonly query: Readonly<Record<string, string>>;
  readonly body: unknown;
};

/** Makes the request of an example, where `replies` are those to the examples before it. */
export type FormRequest = (
  example: OperationExample,
  operation: Operation,
  replies: Readonly<Record<string, unknown>>,
) => ExampleRequest;

const SIGNING_IN: readonly string[] = ['login', 'beginDeviceLogin'];

/** Runs every example in order, each on what those before it have left. */
export async function runExamples(
  service: TestService,
  formRequest: FormRequest = formResolved,
): Promise<readonly RunExample[]> {
  const { body: document } = await service.call('GET', '/api/openapi.json', { token: null });
  const operations = new Map(readOperations(document).map((operation) => [operation.operationId, operation]));
  const replies: Record<string, unknown> = {};
  const runs: RunExample[] = [];
  for (const example of EXAMPLES) {
    const operation = operations.get(example.operationId);
    if (operation === undefined)
      throw new Error(`the example ${example.name} is of an operation that is not described`);
    const token = example.token === undefined ? undefined : String(resolveReferences(example.token, replies));
    const send = () => sendExample(service, operation, formRequest(example, operation, replies), token);
    let reply = await send();
    const { until: awaited } = example;
    if (awaited !== undefined)
      await until(`${example.name} to be as it says`, async () => {
        reply = await send();
        return awaited === 'status' ? reply.status === example.status : holds(reply.body, awaited);
      });
    replies[example.name] = reply.body;
    runs.push({ example, operation, reply });
  }
  return runs;
}

/** Whether a reply has something at a place, or this value. */
function holds(reply: unknown, { pointer, value }: { readonly pointer: string; readonly value?: string }): boolean {
  const place = `@reply#${pointer}`;
  if (!isResolvable(place, { reply })) return false;
  return value === undefined || resolveReferences(place, { reply }) === value;
}

function formResolved(example: OperationExample, _: Operation, replies: Readonly<Record<string, unknown>>) {
  const { params = {}, query = {}, body } = example;
  return resolveReferences({ params, query, body }, replies) as ExampleRequest;
}

function sendExample(
  service: TestService,
  { method, operationId, path, isPublic }: Operation,
  { params, query, body: printed }: ExampleRequest,
  token?: string,
): Promise<Reply> {
  // Examples sign in at a host with one workspace; one with several has to be told which.
  const body = SIGNING_IN.includes(operationId) ? { ...(printed as object), workspace: service.workspace } : printed;
  const filled = path.replace(/\{(\w+)\}/g, (_, name: string) => encodeURIComponent(params[name] ?? ''));
  const search = new URLSearchParams(query).toString();
  return service.call(method, search === '' ? filled : `${filled}?${search}`, {
    ...(isPublic ? { token: null } : token === undefined ? {} : { token }),
    ...(body === undefined ? {} : { body }),
  });
}

/** What is shown of a reply: JSON with the beginning of its lists, or plain text; undefined where nothing is. */
export function shownOf({ example, reply }: RunExample): unknown {
  if (example.isReplyShown === false) return undefined;
  if (reply.body !== undefined) return shorten(reply.body);
  return /^text\/plain/.test(reply.headers.get('content-type') ?? '') ? reply.text : undefined;
}

function shorten(value: unknown): unknown {
  if (Array.isArray(value)) return value.slice(0, ITEMS_MAX).map(shorten);
  if (typeof value !== 'object' || value === null) return value;
  return Object.fromEntries(Object.entries(value).map(([name, member]) => [name, shorten(member)]));
}
