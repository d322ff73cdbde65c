import { stringify } from 'yaml';
import {
  addressesOf,
  FAIL_SECONDS,
  formatUnreachable,
  HEALTH_SECONDS,
  HEALTH_TIMEOUT_SECONDS,
  type Instances,
  MADE,
  type ProxyPlaces,
  RESPONSE_SECONDS,
} from './format-proxies.ts';
import { patternOf, type RoutingTable, SPLIT_ROLES } from './routing-table.ts';

const TYPES = 'type.googleapis.com/envoy.extensions';
/** Of the replies that Envoy makes itself: no process, its connection broke, or it did not respond in time. */
const UNREACHABLE_FLAGS = ['UH', 'UF', 'UC', 'URX', 'UT'];
const GRPC_CLUSTER = 'otlp-ingester-grpc';

/** For Envoy 1.30 or newer: its bootstrap. */
export function formatEnvoy(table: RoutingTable, places: ProxyPlaces): string {
  const { grpc, instances, port } = places;
  const chosen = instances === undefined ? {} : choiceOf(instances);
  const routes = [
    ...table.rules.map((rule) => ({
      match: { safe_regex: { regex: patternOf(rule) } },
      route: { ...routeTo(rule.role), ...chosen },
    })),
    { match: { prefix: '/' }, route: { ...routeTo(table.otherwise), ...chosen } },
  ];
  const calls = [{ match: { prefix: '/' }, route: { cluster: GRPC_CLUSTER, timeout: '60s' } }];
  const bootstrap = {
    static_resources: {
      listeners: [
        listenerOf('answer_evidence', port, routes, { local_reply_config: unreachable() }),
        ...(grpc === undefined ? [] : [listenerOf('answer_evidence_grpc', grpc.port, calls, {})]),
      ],
      clusters: [
        ...SPLIT_ROLES.map((role) => ({
          ...clusterOf(role, addressesOf(places, role)),
          ...(instances === undefined ? {} : byHash()),
        })),
        ...(grpc === undefined ? [] : [{ ...clusterOf(GRPC_CLUSTER, [grpc.address]), ...overHttp2() }]),
      ],
    },
  };
  return `${MADE}\n${stringify(bootstrap, { lineWidth: 0 })}`;
}

/** A process that refuses the connection is passed over; a request that has begun is never sent twice. */
function routeTo(cluster: string) {
  const retry = { retry_on: 'connect-failure', num_retries: 2 };
  return { cluster, timeout: `${RESPONSE_SECONDS}s`, retry_policy: retry };
}

/** The same process for the same workspace, and another one where that cannot be reached. */
function choiceOf({ by }: Instances) {
  const anotherOne = {
    name: 'envoy.retry_host_predicates.previous_hosts',
    typed_config: { '@type': `${TYPES}.retry.host.previous_hosts.v3.PreviousHostsPredicate` },
  };
  return {
    hash_policy: [{ header: { header_name: by === 'host' ? ':authority' : 'authorization' } }],
    retry_policy: {
      retry_on: 'connect-failure',
      num_retries: 2,
      retry_host_predicate: [anotherOne],
      host_selection_retry_max_attempts: 5,
    },
  };
}

function byHash() {
  return {
    lb_policy: 'MAGLEV',
    outlier_detection: {
      split_external_local_origin_errors: true,
      consecutive_local_origin_failure: 1,
      // Statuses are the caller's matter; only what cannot be reached is passed over.
      enforcing_consecutive_5xx: 0,
      enforcing_consecutive_gateway_failure: 0,
      enforcing_success_rate: 0,
      interval: '1s',
      base_ejection_time: `${FAIL_SECONDS}s`,
      max_ejection_percent: 100,
    },
    // For a process that takes connections and responds to nothing. Where none does, all of them are tried.
    health_checks: [
      {
        timeout: `${HEALTH_TIMEOUT_SECONDS}s`,
        interval: `${HEALTH_SECONDS}s`,
        no_traffic_interval: `${HEALTH_SECONDS}s`,
        unhealthy_threshold: 1,
        healthy_threshold: 1,
        http_health_check: { path: '/livez' },
      },
    ],
  };
}

function listenerOf(name: string, port: number, routes: readonly object[], more: object) {
  const manager = {
    '@type': `${TYPES}.filters.network.http_connection_manager.v3.HttpConnectionManager`,
    stat_prefix: name,
    use_remote_address: true,
    normalize_path: true,
    stream_idle_timeout: `${RESPONSE_SECONDS}s`,
    route_config: { virtual_hosts: [{ name, domains: ['*'], routes }] },
    http_filters: [
      { name: 'envoy.filters.http.router', typed_config: { '@type': `${TYPES}.filters.http.router.v3.Router` } },
    ],
    ...more,
  };
  return {
    name,
    address: { socket_address: { address: '0.0.0.0', port_value: port } },
    filter_chains: [{ filters: [{ name: 'envoy.filters.network.http_connection_manager', typed_config: manager }] }],
  };
}

/** Clients of the service repeat a 503, and not a 502 or 504. */
function unreachable() {
  const mapper = {
    filter: { response_flag_filter: { flags: UNREACHABLE_FLAGS } },
    status_code: 503,
    headers_to_add: [{ header: { key: 'Retry-After', value: '1' }, append_action: 'OVERWRITE_IF_EXISTS_OR_ADD' }],
    body_format_override: {
      text_format_source: { inline_string: formatUnreachable('%REQ(X-REQUEST-ID)%') },
      content_type: 'application/problem+json',
    },
  };
  return { mappers: [mapper] };
}

function clusterOf(name: string, addresses: readonly string[]) {
  const endpoints = addresses.map((one) => {
    const [address = '', port = ''] = one.split(':');
    return { endpoint: { address: { socket_address: { address, port_value: Number(port) } } } };
  });
  return {
    name,
    type: 'STRICT_DNS',
    connect_timeout: '5s',
    load_assignment: { cluster_name: name, endpoints: [{ lb_endpoints: endpoints }] },
  };
}

function overHttp2() {
  const options = {
    '@type': `${TYPES}.upstreams.http.v3.HttpProtocolOptions`,
    explicit_http_config: { http2_protocol_options: {} },
  };
  return { typed_extension_protocol_options: { 'envoy.extensions.upstreams.http.v3.HttpProtocolOptions': options } };
}
