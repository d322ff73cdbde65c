import { readFile } from 'node:fs/promises';
import { describe, expect, it } from '@jest/globals';
import { createRoutingTable, findRole, type OwnedPath, ownedPaths, type RoutingTable } from './routing-table.ts';

const committed = JSON.parse(
  await readFile(new URL('../../deploy/proxy/routing.json', import.meta.url), 'utf8'),
) as RoutingTable;

/** A request for a described path. */
function fill(path: string): string {
  return path.replaceAll(/\{\+[^}]*\}/g, 'tile/0/000').replaceAll(/\{[^}]*\}/g, '0199f3c2-0000-7000-8000-000000000001');
}

describe('the committed routing table', () => {
  it.each(ownedPaths())('sends $path to $role', ({ path, role }) => {
    expect(findRole(committed, fill(path))).toBe(role);
    expect(findRole(committed, `${fill(path)}/and/what/is/below`)).toBe(role);
  });

  it.each(['/', '/healthz', '/api/openapi.json', '/api/docs/start.js', '/.well-known/answer-evidence', '/api/trusty'])(
    'sends %s, which every process or none serves, to the default',
    (path) => {
      expect(findRole(committed, path)).toBe('ingest-api');
    },
  );
});

describe('a routing table', () => {
  it('follows from who owns which path, in the fewest rules', () => {
    const owned: readonly OwnedPath[] = [
      { path: '/a', role: 'ingest-api' },
      { path: '/a/{id}', role: 'ingest-api' },
      { path: '/a/{id}/proof', role: 'trust-worker' },
      { path: '/a/{id}/proof/{part}', role: 'trust-worker' },
      { path: '/a/new', role: 'otlp-ingester' },
    ];
    expect(createRoutingTable(owned).rules).toEqual([
      { path: '/a/new', role: 'otlp-ingester' },
      { path: '/a/{id}/proof', role: 'trust-worker' },
    ]);
  });

  it('is refused where a path has another role than what is below it', () => {
    const owned: readonly OwnedPath[] = [
      { path: '/a', role: 'trust-worker' },
      { path: '/a/b', role: 'ingest-api' },
    ];
    expect(() => createRoutingTable(owned)).toThrow('/a is served by trust-worker, but not everything below it is');
  });
});
