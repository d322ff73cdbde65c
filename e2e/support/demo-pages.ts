import { readFile } from 'node:fs/promises';
import { join } from 'node:path';
import { type CallService, createCalls } from '../../tools/demo/call-service.ts';
import { REPOSITORY } from '../../tools/scenery/service-process.ts';

/** A demonstration that runs, and who may sign in to it. */
export type DemoSite = { readonly baseUrl: string; readonly username: string; readonly password: string };

/** A page of the console: what a picture of it is called, and its address below that of the console. */
export type DemoPage = { readonly name: string; readonly route: string; readonly path: string };

type Items = { readonly items: readonly { readonly id?: string; readonly run_id?: string }[] };

/** Every page of the console; of a page that shows one thing, one that has something to show. */
export async function listPages(site: DemoSite): Promise<readonly DemoPage[]> {
  const call = createCalls(site.baseUrl, await signInByApi(site));
  const first = async (path: string) => {
    const { items } = await call<Items>('GET', path);
    const id = items[0]?.id ?? items[0]?.run_id;
    if (id === undefined) throw new Error(`the demonstration has nothing at ${path}`);
    return id;
  };
  const one: Readonly<Record<string, () => Promise<string>>> = {
    '/records/$recordId': () => first('/api/answer-audit-logs?status=corrected'),
    '/evidence/$assetId': () => first('/api/evidence-assets'),
    '/reconciliation/$runId': () => findRun(call),
    '/log/$entryId': () => first('/api/tenant/entries'),
  };
  const pages: DemoPage[] = [];
  for (const route of await listRoutes()) {
    const param = /\$\w+/.exec(route)?.[0];
    if (param !== undefined && one[route] === undefined) throw new Error(`no page of ${route} is known`);
    const path = param === undefined ? route : route.replace(param, await one[route]!());
    const name = route === '/' ? 'overview' : route.slice(1).replaceAll('/', '-').replaceAll('$', '');
    pages.push({ name, route, path: path.slice(1) });
  }
  return pages;
}

/** The newest run that found something, so that there is work to see; any of them where none did. */
async function findRun(call: CallService): Promise<string> {
  type Run = { readonly id: string; readonly counts: { readonly missing_service: number } | null };
  const { items } = await call<{ readonly items: readonly Run[] }>('GET', '/api/reconciliations/runs');
  const run = items.find(({ counts }) => (counts?.missing_service ?? 0) > 0) ?? items[0];
  if (run === undefined) throw new Error('the demonstration has compared no list');
  return run.id;
}

/** The addresses in the console's own table of pages, so that no page can be forgotten. */
async function listRoutes(): Promise<readonly string[]> {
  const source = await readFile(join(REPOSITORY, 'apps/console/src/shell/router.tsx'), 'utf8');
  return [...source.matchAll(/= page\(\s*'([^']+)'/g)].map(([, path]) => path ?? '');
}

/** A token of who may sign in. */
export async function signInByApi({ baseUrl, username, password }: DemoSite): Promise<string> {
  const body = { workspace: 'demo', username, password };
  const { token } = await createCalls(baseUrl, '')<{ readonly token: string }>('POST', '/api/auth/login', body);
  return token;
}
