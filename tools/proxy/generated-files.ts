import { formatEnvoy } from './format-envoy.ts';
import {
  CHART_PLACES,
  COMPOSE_PLACES,
  formatCaddy,
  formatNginx,
  formatNginxOfServices,
  formatTable,
} from './format-proxies.ts';
import { createRoutingTable, ownedPaths } from './routing-table.ts';

/** The committed routing table and the proxy configurations that are made of it, by path in the repository. */
export function createProxyFiles(): Readonly<Record<string, string>> {
  const table = createRoutingTable(ownedPaths());
  return {
    'deploy/proxy/routing.json': formatTable(table),
    'deploy/chart/files/routing.json': formatTable(table),
    'deploy/chart/files/nginx.conf': formatNginxOfServices(table, CHART_PLACES),
    'deploy/proxy/nginx.conf': formatNginx(table, COMPOSE_PLACES),
    'deploy/proxy/Caddyfile': formatCaddy(table, COMPOSE_PLACES),
    'deploy/proxy/envoy.yaml': formatEnvoy(table, COMPOSE_PLACES),
  };
}
