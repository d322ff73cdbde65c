import { PROBLEM_TABLE } from '@answer-evidence/contracts';
import { patternOf, type RoutingTable, SPLIT_ROLES, type SplitRole } from './routing-table.ts';

/** Where the processes are, and where the proxy listens. */
export type ProxyPlaces = {
  readonly port: number;
  /** Host and port of a role's processes. */
  readonly addressOf: (role: SplitRole) => string;
  readonly grpc?: GrpcPlaces;
  /** In place of one address of each role. */
  readonly instances?: Instances;
};

/**
 * The processes of each role, by addresses that stay. A workspace is sent to the same one each time, because processes
 * that write one log wait for each other. Nothing but speed depends on it: what cannot be reached is passed over.
 */
export type Instances = {
  /** What tells workspaces apart: the host where each has its own, else the token that a request presents. */
  readonly by: 'host' | 'token';
  readonly of: (role: SplitRole) => readonly string[];
};

/** The addresses of a role's processes. */
export function addressesOf({ addressOf, instances }: ProxyPlaces, role: SplitRole): readonly string[] {
  return instances?.of(role) ?? [addressOf(role)];
}

/** Where OTLP over gRPC is: the port of the proxy, and host and port of the OTLP ingester. */
type GrpcPlaces = { readonly port: number; readonly address: string };

/** The names of the services in docker-compose.yml, and the resolver of its networks. */
export const COMPOSE_PLACES: ProxyPlaces = {
  port: 8080,
  addressOf: (role) => `${role}:8080`,
  grpc: { port: 4317, address: 'otlp-ingester:4317' },
};

/** The services of the chart, whose router puts the name of the release for the first word. */
export const CHART_PLACES: ProxyPlaces = { port: 8080, addressOf: (role) => `RELEASE-${role}:8080` };

/** The first line of every generated file. */
export const MADE = '# Made from the routes of the service by `npm run docs:generate`. Do not edit.';

/** Longer than the longest request of the service, a check of a large ledger. */
export const RESPONSE_SECONDS = 600;

/** For how long a process that could not be reached is passed over. */
export const FAIL_SECONDS = 2;

/** How often each of several processes is asked whether it lives, and how long it may take to say so. */
export const HEALTH_SECONDS = 1;
export const HEALTH_TIMEOUT_SECONDS = 2;

/** What a caller gets while no process of a role can be reached: a problem, as every other error is. */
export function formatUnreachable(requestId: string): string {
  return JSON.stringify({
    type: 'urn:answer-evidence:problem:overloaded',
    ...PROBLEM_TABLE.overloaded,
    detail: 'no process that serves this path can be reached; repeat the request after Retry-After seconds',
    code: 'overloaded',
    errors: [],
    request_id: requestId,
  });
}

/** The routing table by itself. */
export function formatTable(table: RoutingTable): string {
  return JSON.stringify(table, null, 2);
}

/** For `conf.d` of nginx 1.22 or newer: names are looked up again, so processes may come, go and move. */
export function formatNginx(table: RoutingTable, places: ProxyPlaces): string {
  const { addressOf, grpc, instances, port } = places;
  if (instances !== undefined) return formatNginxOfInstances(table, places, instances);
  return `${MADE}
resolver 127.0.0.11 valid=2s ipv6=off;
${formatNginxPaths(table, addressOf, port)}${grpc === undefined ? '' : formatNginxGrpc(grpc)}`;
}

/** The same where each role has an address that stays, as a Service of Kubernetes has; looked up once, at a start. */
export function formatNginxOfServices(table: RoutingTable, { addressOf, port }: ProxyPlaces): string {
  const upstreams = SPLIT_ROLES.map((role) => `upstream ${role} { server ${addressOf(role)}; }`);
  return `${MADE}\n${upstreams.join('\n')}\n${formatNginxPaths(table, (role) => role, port)}`;
}

/** The same where each role has several processes; their addresses are looked up once, at a start. */
function formatNginxOfInstances(table: RoutingTable, places: ProxyPlaces, { by }: Instances): string {
  const key = by === 'host' ? '$host' : '$http_authorization';
  const upstreams = SPLIT_ROLES.map(
    (role) => `upstream ${role} {
  hash ${key} consistent;
${addressesOf(places, role)
  .map((address) => `  server ${address} max_fails=1 fail_timeout=${FAIL_SECONDS}s;`)
  .join('\n')}
}`,
  );
  return `${MADE}\n${upstreams.join('\n')}\n${formatNginxPaths(table, (role) => role, places.port)}`;
}

function formatNginxPaths(table: RoutingTable, addressOf: ProxyPlaces['addressOf'], port: number): string {
  return `
map $uri $answer_evidence {
${table.rules.map((rule) => `  "~${patternOf(rule)}" ${addressOf(rule.role)};`).join('\n')}
  default ${addressOf(table.otherwise)};
}

server {
  listen ${port};
  server_tokens off;
  access_log off;
  gzip off;
  # The service has limits for each operation, and stores files while they arrive.
  client_max_body_size 0;
  large_client_header_buffers 4 16k;

  location / {
    proxy_pass http://$answer_evidence;
    proxy_http_version 1.1;
    proxy_set_header Connection "";
    proxy_set_header Host $http_host;
    proxy_set_header X-Forwarded-For $proxy_add_x_forwarded_for;
    proxy_request_buffering off;
    proxy_buffering off;
    proxy_connect_timeout 5s;
    proxy_read_timeout ${RESPONSE_SECONDS}s;
    proxy_send_timeout ${RESPONSE_SECONDS}s;
    error_page 502 504 = @unreachable;
  }

  # Clients of the service repeat a 503, and not a 502.
  location @unreachable {
    default_type application/problem+json;
    add_header Retry-After 1 always;
    return 503 '${formatUnreachable('$request_id')}';
  }
}
`;
}

/** Clients of gRPC take the 502 of nginx as UNAVAILABLE, and repeat the call. */
function formatNginxGrpc({ address, port }: GrpcPlaces): string {
  return `
server {
  listen ${port} http2;
  server_tokens off;
  access_log off;
  client_max_body_size 0;

  location / {
    set $answer_evidence_grpc ${address};
    grpc_pass grpc://$answer_evidence_grpc;
    grpc_set_header X-Forwarded-For $proxy_add_x_forwarded_for;
    grpc_connect_timeout 5s;
    grpc_read_timeout 60s;
  }
}
`;
}

/** Caddy replaces what a proxy in front said of the client, unless told otherwise. The service judges it. */
const CADDY_KEEPS_ADDRESSES = 'trusted_proxies 0.0.0.0/0 ::/0';

/** For Caddy 2.6 or newer. */
export function formatCaddy(table: RoutingTable, places: ProxyPlaces): string {
  const { grpc, instances, port } = places;
  const choice = instances === undefined ? '' : formatCaddyChoice(instances);
  const proxyTo = (role: SplitRole): string => `    reverse_proxy ${addressesOf(places, role).join(' ')} {
      flush_interval -1
      ${CADDY_KEEPS_ADDRESSES}${choice}
    }`;
  const routes = table.rules.map(
    (rule, n) => `  @rule${n} path_regexp ${patternOf(rule)}
  handle @rule${n} {
${proxyTo(rule.role)}
  }`,
  );
  return `${MADE}
{
  admin off
  auto_https off${grpc === undefined ? '' : formatCaddyProtocols(grpc)}
}

:${port} {
${routes.join('\n')}
  handle {
${proxyTo(table.otherwise)}
  }
  handle_errors {
    header Retry-After 1
    header Content-Type application/problem+json
    respond \`${formatUnreachable('{http.request.uuid}')}\` 503
  }
}
${grpc === undefined ? '' : formatCaddyGrpc(grpc)}`;
}

function formatCaddyChoice({ by }: Instances): string {
  return `
      lb_policy header ${by === 'host' ? 'Host' : 'Authorization'}
      lb_try_duration 5s
      lb_try_interval 50ms
      fail_duration ${FAIL_SECONDS}s
      max_fails 3
      health_uri /livez
      health_interval ${HEALTH_SECONDS}s
      health_timeout ${HEALTH_TIMEOUT_SECONDS}s`;
}

function formatCaddyProtocols({ port }: GrpcPlaces): string {
  return `
  servers :${port} {
    protocols h1 h2c
  }`;
}

/**
 * Caddy sends a response of gRPC on as it comes. With `flush_interval -1` it may also send the headers of one that
 * consists of headers alone before it knows that nothing follows: the status in them is then none for a client.
 */
function formatCaddyGrpc({ address, port }: GrpcPlaces): string {
  return `
:${port} {
  reverse_proxy h2c://${address} {
    ${CADDY_KEEPS_ADDRESSES}
  }
}
`;
}
