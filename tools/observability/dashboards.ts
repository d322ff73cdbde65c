/** One graph: what it shows, its unit, and the expressions with their legends. */
type Panel = {
  readonly title: string;
  readonly unit: 'short' | 's' | 'reqps' | 'bytes' | 'percentunit' | 'ops';
  readonly queries: readonly (readonly [expression: string, legend: string])[];
};

type Dashboard = { readonly uid: string; readonly title: string; readonly panels: readonly Panel[] };

const JOB = 'job=~"$job"';
const quantile = (share: number, metric: string, by: string, more = '') =>
  `histogram_quantile(${share}, sum by (le${by === '' ? '' : `, ${by}`}) (rate(${metric}_bucket{${JOB}${more}}[$__rate_interval])))`;

const DASHBOARDS: readonly Dashboard[] = [
  {
    uid: 'answer-evidence-serving',
    title: 'Answer Evidence: requests and the ledger',
    panels: [
      {
        title: 'Requests',
        unit: 'reqps',
        queries: [
          [`sum by (status) (rate(http_request_duration_seconds_count{${JOB}}[$__rate_interval]))`, '{{status}}'],
        ],
      },
      {
        title: 'Creates: time to the response',
        unit: 's',
        queries: [0.5, 0.99].map((share) => [
          quantile(share, 'http_request_duration_seconds', '', ',route="/api/answer-audit-logs",method="POST"'),
          `p${share * 100}`,
        ]),
      },
      {
        title: 'Requests in progress',
        unit: 'short',
        queries: [[`sum by (instance) (http_requests_in_flight{${JOB}})`, '{{instance}}']],
      },
      {
        title: 'Batches of the ledger',
        unit: 'ops',
        queries: [
          [`sum by (way) (rate(ledger_batches_total{${JOB}}[$__rate_interval]))`, '{{way}}'],
          [`sum(rate(ledger_mispredictions_total{${JOB}}[$__rate_interval]))`, 'mispredicted'],
        ],
      },
      {
        title: 'Requests per batch',
        unit: 'short',
        queries: [0.5, 0.99].map((share) => [quantile(share, 'ledger_batch_requests', ''), `p${share * 100}`]),
      },
      {
        title: 'Wait for the lock of a head',
        unit: 's',
        queries: [0.5, 0.99].map((share) => [quantile(share, 'ledger_head_lock_seconds', ''), `p${share * 100}`]),
      },
      {
        title: 'Memory',
        unit: 'bytes',
        queries: [[`process_resident_memory_bytes{${JOB}}`, '{{instance}}']],
      },
      {
        title: 'Delay of the event loop',
        unit: 's',
        queries: [[`nodejs_eventloop_lag_p99_seconds{${JOB}}`, '{{instance}}']],
      },
    ],
  },
  {
    uid: 'answer-evidence-background',
    title: 'Answer Evidence: background work',
    panels: [
      { title: 'Due jobs', unit: 'short', queries: [[`max by (topic) (queue_jobs{${JOB}})`, '{{topic}}']] },
      {
        title: 'Age of the oldest',
        unit: 's',
        queries: [[`max by (topic) (queue_oldest_seconds{${JOB}})`, '{{topic}}']],
      },
      {
        title: 'Wait for the queue',
        unit: 's',
        queries: [[`max by (topic) (queue_undispatched_seconds{${JOB}})`, '{{topic}}']],
      },
      { title: 'Dead letters', unit: 'short', queries: [[`max by (topic) (queue_dead_letters{${JOB}})`, '{{topic}}']] },
      {
        title: 'Deliveries',
        unit: 'ops',
        queries: [[`sum by (topic, outcome) (rate(jobs_total{${JOB}}[$__rate_interval]))`, '{{topic}} {{outcome}}']],
      },
      {
        title: 'Time per delivery, p99',
        unit: 's',
        queries: [[quantile(0.99, 'job_duration_seconds', 'topic'), '{{topic}}']],
      },
      {
        title: 'OpenTelemetry: items',
        unit: 'ops',
        queries: [[`sum by (outcome) (rate(otlp_items_total{${JOB}}[$__rate_interval]))`, '{{outcome}}']],
      },
      {
        title: 'OpenTelemetry: age of the inbox',
        unit: 's',
        queries: [[`max(otlp_inbox_age_seconds{${JOB}})`, 'oldest item']],
      },
    ],
  },
  {
    uid: 'answer-evidence-trust',
    title: 'Answer Evidence: what vouches for the logs',
    panels: [
      { title: 'Stopped logs', unit: 'short', queries: [[`max(ledger_logs_stopped{${JOB}})`, 'stopped']] },
      { title: 'Damaged workspaces', unit: 'short', queries: [[`max(workspaces_damaged{${JOB}})`, 'damaged']] },
      {
        title: 'Entries without a head outside',
        unit: 's',
        queries: [[`max by (instance) (ledger_heads_unkept_seconds{${JOB}})`, '{{instance}}']],
      },
      { title: 'Unpublished entries', unit: 'short', queries: [[`max(trust_unpublished_entries{${JOB}})`, 'entries']] },
      { title: 'Lag of the anchors', unit: 's', queries: [[`max(trust_anchor_lag_seconds{${JOB}})`, 'oldest entry']] },
      {
        title: 'Logs with an unconfirmed entry for longer than',
        unit: 'short',
        queries: [
          [`max(trust_logs_exposed_5m{${JOB}})`, '5 minutes'],
          [`max(trust_logs_exposed_1h{${JOB}})`, '1 hour'],
          [`max(trust_logs_exposed_1d{${JOB}})`, '1 day'],
        ],
      },
      {
        title: 'Failing anchors and witnesses',
        unit: 'short',
        queries: [
          [`max(trust_anchors_failing{${JOB}})`, 'anchors'],
          [`max(trust_anchors_unread{${JOB}})`, 'anchors not read'],
          [`max(trust_renewals_failing{${JOB}})`, 'renewals'],
          [`max(trust_witnesses_failing{${JOB}})`, 'witnesses'],
        ],
      },
      {
        title: 'Clock',
        unit: 'short',
        queries: [[`sum by (state) (clock_state{${JOB}})`, '{{state}}']],
      },
    ],
  },
];

const WIDTH = 12;
const HEIGHT = 8;
const DATASOURCE = { type: 'prometheus', uid: '${datasource}' };

/** The dashboards for Grafana, as it imports them, by their paths in the repository. */
export function createDashboards(): Readonly<Record<string, string>> {
  return Object.fromEntries(
    DASHBOARDS.map((dashboard) => [
      `deploy/observability/${dashboard.uid.replace('answer-evidence-', 'dashboard-')}.json`,
      `${JSON.stringify(formatDashboard(dashboard), null, 2)}\n`,
    ]),
  );
}

function formatDashboard({ uid, title, panels }: Dashboard): object {
  return {
    uid,
    title,
    tags: ['answer-evidence'],
    schemaVersion: 39,
    version: 1,
    editable: true,
    refresh: '30s',
    time: { from: 'now-6h', to: 'now' },
    templating: {
      list: [
        { name: 'datasource', type: 'datasource', query: 'prometheus', label: 'Prometheus' },
        {
          name: 'job',
          type: 'query',
          label: 'Job',
          datasource: DATASOURCE,
          query: 'label_values(http_requests_in_flight, job)',
          includeAll: true,
          multi: true,
          allValue: '.+',
          current: { text: 'All', value: '$__all' },
        },
      ],
    },
    panels: panels.map((panel, index) => ({
      id: index + 1,
      type: 'timeseries',
      title: panel.title,
      datasource: DATASOURCE,
      gridPos: { x: (index % 2) * WIDTH, y: Math.floor(index / 2) * HEIGHT, w: WIDTH, h: HEIGHT },
      fieldConfig: { defaults: { unit: panel.unit, min: 0 }, overrides: [] },
      targets: panel.queries.map(([expr, legendFormat], query) => ({
        refId: String.fromCodePoint(65 + query),
        expr,
        legendFormat,
      })),
    })),
  };
}
