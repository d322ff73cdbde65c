import { mkdtemp, readFile, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { parse, parseAllDocuments } from 'yaml';
import { type ApiServer, findObstacle, startApiServer } from './start-api-server.ts';

const CHART = new URL('../../deploy/chart', import.meta.url).pathname;
const SMALL = {
  baseUrl: 'https://evidence.example.org',
  existingSecret: 'secrets',
  s3: { endpoint: 'https://s3', bucket: 'evidence' },
};
const full = parse(await readFile(join(CHART, 'ci/full-values.yaml'), 'utf8'));
/** Kinds of others are taken with anything in them: that they are told apart at all is what is tried. */
const FOREIGN = [
  ['gateway.networking.k8s.io', 'v1', 'HTTPRoute', 'httproutes'],
  ['gateway.networking.k8s.io', 'v1', 'GRPCRoute', 'grpcroutes'],
  ['monitoring.coreos.com', 'v1', 'PodMonitor', 'podmonitors'],
  ['keda.sh', 'v1alpha1', 'ScaledObject', 'scaledobjects'],
] as const;
const VALUES: Readonly<Record<string, any>> = {
  single: SMALL,
  split: { ...SMALL, mode: 'split', redis: { enabled: true } },
  full,
  'full-single': { ...full, mode: 'single', processes: undefined },
  keda: { ...full, autoscaling: { source: 'keda', prometheusUrl: 'http://prometheus:9090' } },
  openshift: { ...SMALL, podSecurityContext: { runAsUser: null, runAsGroup: null, fsGroup: null } },
  role: { ...SMALL, s3: { ...SMALL.s3, credentials: 'aws' }, settings: { SERVICE_CONNECTIONS_MAX: 100_000_000 } },
  vault: { ...SMALL, existingSecret: '', secrets: { folder: '/vault' }, settings: { DATABASE_URL_FILE: '/vault/db' } },
};

const obstacle = findObstacle();
const named = `the chart at a real API server${obstacle === undefined ? '' : `, which ${obstacle}`}`;
(obstacle === undefined ? describe : describe.skip)(named, () => {
  let api: ApiServer;
  let folder: string;
  beforeAll(async () => {
    folder = await mkdtemp(join(tmpdir(), 'answer-evidence-chart-'));
    for (const [name, given] of Object.entries(VALUES)) await writeFile(join(folder, name), JSON.stringify(given));
    api = await startApiServer();
    const anything = { openAPIV3Schema: { type: 'object', 'x-kubernetes-preserve-unknown-fields': true } };
    const definitions = FOREIGN.map(([group, version, kind, plural]) => ({
      apiVersion: 'apiextensions.k8s.io/v1',
      kind: 'CustomResourceDefinition',
      metadata: {
        name: `${plural}.${group}`,
        annotations: { 'api-approved.kubernetes.io': 'https://example.org/for-a-test' },
      },
      spec: {
        group,
        scope: 'Namespaced',
        names: { kind, plural },
        versions: [{ name: version, served: true, storage: true, schema: anything }],
      },
    }));
    const priority = {
      apiVersion: 'scheduling.k8s.io/v1',
      kind: 'PriorityClass',
      metadata: { name: 'important' },
      value: 1,
    };
    for (const object of [...definitions, priority])
      must(api.run('kubectl', ['create', '-f', '-'], JSON.stringify(object)));
    for (const [, , , plural] of FOREIGN) await untilServed(plural);
  }, 240_000);
  afterAll(async () => {
    await api?.close();
    await rm(folder, { recursive: true });
  });

  async function untilServed(plural: string): Promise<void> {
    while (!api.run('kubectl', ['api-resources', '--no-headers']).said.includes(plural))
      await new Promise((resolve) => setTimeout(resolve, 200));
  }

  function must({ status, said }: ReturnType<ApiServer['run']>): string {
    if (status !== 0) throw new Error(said);
    return said;
  }

  /** A namespace that refuses each pod that is not restricted. */
  function makeNamespace(name: string): void {
    const labels = {
      'pod-security.kubernetes.io/enforce': 'restricted',
      'pod-security.kubernetes.io/warn': 'restricted',
    };
    const namespace = { apiVersion: 'v1', kind: 'Namespace', metadata: { name, labels } };
    must(api.run('kubectl', ['create', '-f', '-'], JSON.stringify(namespace)));
    // What a controller makes, of which there is none here.
    must(api.run('kubectl', ['create', 'serviceaccount', 'default', '--namespace', name]));
  }

  it.each(Object.keys(VALUES).map((name) => [name] as const))(
    'is installed and upgraded with the values "%s", and each of its pods is restricted',
    (name) => {
      makeNamespace(name);
      const common = ['evidence', CHART, '--namespace', name, '--values', join(folder, name)];
      // Nothing ends the Jobs of hooks here. They are made below.
      must(api.run('helm', ['install', ...common, '--no-hooks']));
      must(api.run('helm', ['upgrade', ...common, '--no-hooks', '--set', 'podLabels.again=yes']));
      const text = must(api.run('helm', ['template', ...common, '--is-upgrade', '--validate']));
      // As GitOps applies it, which refuses a variable that is there twice and a field that nobody knows.
      const apply = [
        'apply',
        '--server-side',
        '--force-conflicts',
        '--validate=strict',
        '--namespace',
        name,
        '-f',
        '-',
      ];
      const applied = must(api.run('kubectl', apply, text));
      expect(applied).not.toMatch(/warning/i);
      const objects = parseAllDocuments(text).map((document) => document.toJS());
      const pods = objects.flatMap(({ metadata, spec }) =>
        spec?.template?.spec?.containers === undefined
          ? []
          : [
              {
                apiVersion: 'v1',
                kind: 'Pod',
                metadata: { name: metadata.name, namespace: name },
                spec: spec.template.spec,
              },
            ],
      );
      expect(pods.length).toBeGreaterThan(1);
      const create = ['create', '--dry-run=server', '--validate=strict', '-f', '-'];
      for (const pod of pods) expect(must(api.run('kubectl', create, JSON.stringify(pod)))).not.toMatch(/warning/i);
      must(api.run('helm', ['uninstall', 'evidence', '--namespace', name, '--no-hooks']));
    },
    120_000,
  );

  it('would be refused with a right too many, so that the namespace is known to judge', () => {
    makeNamespace('judged');
    const container = { name: 'a', image: 'a', securityContext: { allowPrivilegeEscalation: true } };
    const pod = {
      apiVersion: 'v1',
      kind: 'Pod',
      metadata: { name: 'a', namespace: 'judged' },
      spec: { containers: [container] },
    };
    const { status, said } = api.run('kubectl', ['create', '--dry-run=server', '-f', '-'], JSON.stringify(pod));
    expect([status, said]).toEqual([1, expect.stringContaining('violates PodSecurity "restricted')]);
  });
});
