import { execFileSync, spawnSync } from 'node:child_process';
import { mkdtemp, readFile, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { parse, parseAllDocuments } from 'yaml';
import { ROLES } from '@answer-evidence/runtime/roles';
import { isInstalled } from '@answer-evidence/testing';
import { createRoutingTable, ownedPaths, patternOf, SPLIT_ROLES, type SplitRole } from '../proxy/routing-table.ts';

const REPOSITORY = new URL('../..', import.meta.url).pathname;
const CHART = join(REPOSITORY, 'deploy/chart');
const KINDS: Readonly<Record<string, string>> = {
  ConfigMap: 'core.v1',
  Deployment: 'apps.v1',
  HorizontalPodAutoscaler: 'autoscaling.v2',
  Ingress: 'networking.v1',
  Job: 'batch.v1',
  NetworkPolicy: 'networking.v1',
  PodDisruptionBudget: 'policy.v1',
  Role: 'rbac.v1',
  RoleBinding: 'rbac.v1',
  Service: 'core.v1',
  ServiceAccount: 'core.v1',
};
/** Kinds of others, whose schemas are not here. */
const FOREIGN = ['GRPCRoute', 'HTTPRoute', 'PodMonitor', 'ScaledObject'];
const SMALLEST = {
  baseUrl: 'https://evidence.example.org',
  existingSecret: 'secrets',
  s3: { endpoint: 'https://s3', bucket: 'evidence' },
};
const compose: any = parse(await readFile(join(REPOSITORY, 'docker-compose.yml'), 'utf8'), { merge: true });
const table = createRoutingTable(ownedPaths());
const values: any = parse(await readFile(join(CHART, 'values.yaml'), 'utf8'));

it('has the stages of every role', () => {
  const stages = Object.entries<any>(values.processes).map(([role, process]) => [role, process.stages]);
  expect(Object.fromEntries(stages)).toEqual(Object.fromEntries(SPLIT_ROLES.map((role) => [role, ROLES[role]])));
});

(isInstalled('helm') ? describe : describe.skip)('the chart, rendered by helm', () => {
  let folder: string;
  const rendered = new Map<string, readonly any[]>();

  function render(name: string, release = 'evidence'): string {
    const version = ['--kube-version', '1.27.0'];
    const args = ['template', release, CHART, '--values', join(folder, name), '--namespace', 'evidence', ...version];
    return execFileSync('helm', args, { encoding: 'utf8', stdio: ['ignore', 'pipe', 'pipe'] });
  }
  /** The objects that these values come to. */
  async function renderValues(given: unknown, release?: string): Promise<readonly any[]> {
    await writeFile(join(folder, 'given'), JSON.stringify(given));
    return parseAllDocuments(render('given', release)).map((document) => document.toJS());
  }
  const podsOf = (objects: readonly any[]): readonly any[] =>
    objects.flatMap(({ spec }) => (spec?.template?.spec?.containers === undefined ? [] : [spec.template.spec]));
  const of = (name: string, kind: string): readonly any[] =>
    (rendered.get(name) ?? []).filter((object) => object.kind === kind);

  const isRouter = ({ metadata }: any): boolean => metadata.name === 'evidence-router';
  const processesOf = (name: string): readonly any[] => of(name, 'Deployment').filter((one) => !isRouter(one));

  beforeAll(async () => {
    folder = await mkdtemp(join(tmpdir(), 'answer-evidence-chart-'));
    const full = parse(await readFile(join(CHART, 'ci/full-values.yaml'), 'utf8'));
    const keda = { ...full, autoscaling: { source: 'keda', prometheusUrl: 'http://prometheus:9090' } };
    const smallest = { ...SMALLEST, mode: 'split' };
    const bare = { ...smallest, router: { enabled: false } };
    const fullSingle = { ...full, mode: 'single', processes: undefined };
    for (const [name, given] of Object.entries({ single: SMALLEST, fullSingle, smallest, bare, full, keda })) {
      await writeFile(join(folder, name), JSON.stringify(given));
      const text = render(name);
      await writeFile(join(folder, `${name}.yaml`), text);
      rendered.set(
        name,
        parseAllDocuments(text).map((document) => document.toJS()),
      );
    }
  }, 60_000);

  afterAll(() => rm(folder, { recursive: true, force: true }));

  it('passes helm lint with its own values and with all that is optional', () => {
    for (const given of [[], ['--values', join(folder, 'single')], ['--values', join(folder, 'full')]]) {
      const said = execFileSync('helm', ['lint', '--strict', CHART, ...given], {
        encoding: 'utf8',
        stdio: ['ignore', 'pipe', 'ignore'],
      });
      expect(said).toContain('0 chart(s) failed');
    }
  });

  it.each([
    ['baseUrl', 'set baseUrl'],
    ['existingSecret', 'set existingSecret'],
    ['s3', 'set s3.endpoint'],
  ])('is refused without %s, with what to set', async (name, sentence) => {
    await writeFile(join(folder, `without-${name}`), JSON.stringify({ ...SMALLEST, [name]: undefined }));
    expect(() => render(`without-${name}`)).toThrow(sentence);
  });

  (isInstalled('kubeconform') ? it : it.skip)('contains nothing that Kubernetes 1.27 does not know', async () => {
    const { definitions } = JSON.parse(await readFile(new URL('kubernetes-1.27.json', import.meta.url), 'utf8'));
    for (const [kind, group] of Object.entries(KINDS)) {
      const schema = { $ref: `#/definitions/io.k8s.api.${group}.${kind}`, definitions };
      await writeFile(join(folder, `${kind.toLowerCase()}.json`), JSON.stringify(schema));
    }
    const location = ['-schema-location', join(folder, '{{.ResourceKind}}.json'), '-skip', FOREIGN.join()];
    const check = (file: string) =>
      spawnSync('kubeconform', ['-strict', '-summary', ...location, file], { encoding: 'utf8' }).stdout;
    for (const [name, { length }] of rendered) {
      const said = check(join(folder, `${name}.yaml`));
      expect(said).toContain(`${length} resources found`);
      expect(said).toContain('Invalid: 0, Errors: 0');
    }
    const broken = (await readFile(join(folder, 'full.yaml'), 'utf8')).replace('maxSurge: 1', 'maxSurges: 1');
    await writeFile(join(folder, 'broken.yaml'), broken);
    expect(check(join(folder, 'broken.yaml'))).toContain('maxSurges');
  });

  it('runs each role by its stages, with a service and a budget of its own', () => {
    for (const name of ['smallest', 'full']) {
      const containers = processesOf(name).map(({ spec }) => spec.template.spec.containers[0]);
      expect(Object.fromEntries(containers.map((container) => [container.name, container.args]))).toEqual(
        Object.fromEntries(SPLIT_ROLES.map((role) => [role, ['--stages', ROLES[role].join()]])),
      );
      const named = SPLIT_ROLES.map((role) => `evidence-${role}`).toSorted();
      for (const kind of ['Service', 'PodDisruptionBudget', ...(name === 'full' ? ['HorizontalPodAutoscaler'] : [])])
        expect(
          of(name, kind)
            .filter((one) => !isRouter(one))
            .map(({ metadata }) => metadata.name),
        ).toEqual(named);
      for (const { spec } of of(name, 'Service')) {
        const chosen = of(name, 'Deployment').filter(({ spec: { template } }) =>
          Object.entries(spec.selector).every(([label, value]) => template.metadata.labels[label] === value),
        );
        expect(chosen).toHaveLength(1);
      }
    }
  });

  it('shows why a container has ended, as the service says it', () => {
    for (const { spec } of [...processesOf('full'), ...of('full', 'Job')])
      for (const { terminationMessagePolicy } of spec.template.spec.containers)
        expect(terminationMessagePolicy).toBe('FallbackToLogsOnError');
  });

  it('gives no container a right, a writable root, or a secret in its environment', () => {
    for (const name of ['single', 'smallest', 'full'])
      for (const { spec } of [...processesOf(name), ...of(name, 'Job')]) {
        const pod = spec.template.spec;
        const isFirst = spec.template.metadata.labels['app.kubernetes.io/component'] === 'first-workspace';
        expect(pod).toMatchObject({
          automountServiceAccountToken: isFirst,
          serviceAccountName: expect.stringMatching(/^evidence(-migrate|-first-workspace)?$/),
          securityContext: { runAsNonRoot: true, runAsUser: 10_001, seccompProfile: { type: 'RuntimeDefault' } },
        });
        for (const { env, resources, securityContext } of pod.containers) {
          expect(securityContext).toEqual({
            allowPrivilegeEscalation: false,
            readOnlyRootFilesystem: true,
            capabilities: { drop: ['ALL'] },
          });
          expect(resources.limits.memory).toBeTruthy();
          const secrets = env.filter((one: any) => /DATABASE|REDIS|MASTER|_KEY/.test(one.name));
          const stores = name === 'full' ? ['REDIS_URL'] : [];
          expect(secrets.map((one: any) => one.name).toSorted()).toEqual(
            ['DATABASE_URL', ...stores, 'S3_ACCESS_KEY', 'S3_SECRET_KEY', 'SERVICE_MASTER_KEY'].map(
              (one) => `${one}_FILE`,
            ),
          );
          for (const { name: variable, value } of secrets)
            expect([variable, value]).toEqual([
              expect.stringMatching(/_FILE$/),
              expect.stringContaining('/run/secrets/'),
            ]);
        }
      }
  });

  it('has a router, with no right and no secret, that knows every role by its service', () => {
    const [router] = of('smallest', 'Deployment').filter(isRouter);
    const pod = router.spec.template.spec;
    expect(pod).toMatchObject({ automountServiceAccountToken: false, securityContext: { runAsNonRoot: true } });
    const [{ env, image, securityContext }] = pod.containers;
    expect([env, securityContext]).toEqual([
      undefined,
      { allowPrivilegeEscalation: false, readOnlyRootFilesystem: true, capabilities: { drop: ['ALL'] } },
    ]);
    // The one that docker-compose.yml runs.
    expect(image).toBe(compose.services.proxy.image);
    const [{ data }] = of('smallest', 'ConfigMap');
    for (const role of SPLIT_ROLES) expect(data['default.conf']).toContain(`server evidence-${role}:8080;`);
    expect(data['default.conf']).not.toContain('RELEASE');
  });

  it('leads the console to all processes: through the router, else to the address of callers', () => {
    const upstreams = (name: string) =>
      processesOf(name).map(({ spec }) => {
        const [{ env, name: role }] = spec.template.spec.containers;
        return [role, env.find((one: any) => one.name === 'SERVICE_CONSOLE_UPSTREAM')?.value];
      });
    const others = SPLIT_ROLES.filter((role) => role !== 'ingest-api').map((role) => [role, undefined]);
    const upstream = { smallest: 'http://evidence-router:8080', bare: SMALLEST.baseUrl };
    for (const [name, address] of Object.entries(upstream))
      expect(Object.fromEntries(upstreams(name))).toEqual(Object.fromEntries([...others, ['ingest-api', address]]));
    expect(of('bare', 'Deployment').filter(isRouter)).toEqual([]);
  });

  it('migrates before it installs and upgrades', () => {
    const [job] = of('smallest', 'Job');
    expect(job.metadata.annotations['helm.sh/hook']).toBe('pre-install,pre-upgrade');
    const [{ args, command }] = job.spec.template.spec.containers;
    expect([command, args]).toEqual([['answer-evidence-operator'], ['database-migrate']]);
  });

  it('asks /readyz and /livez of the operations port', () => {
    for (const { spec } of processesOf('smallest')) {
      const [{ livenessProbe, readinessProbe }] = spec.template.spec.containers;
      expect(livenessProbe.httpGet).toEqual({ path: '/livez', port: 'metrics' });
      expect(readinessProbe.httpGet).toEqual({ path: '/readyz', port: 'metrics' });
    }
  });

  it('sends every operation to the role that serves it, by Ingress and by HTTPRoute', () => {
    const [ingress] = of('full', 'Ingress');
    const paths: readonly any[] = ingress.spec.rules[0].http.paths;
    // As ingress-nginx does it: whole paths, the longest expression first.
    const byIngress = paths
      .toSorted((a, b) => b.path.length - a.path.length)
      .map(({ backend, path }) => ({ expression: new RegExp(`^${path}`), to: backend.service.name }));
    for (const { path, role } of ownedPaths()) {
      const asked = path.replaceAll(/\{\+?([^}]*)\}/g, '$1');
      expect([path, byIngress.find(({ expression }) => expression.test(asked))?.to]).toEqual([
        path,
        `evidence-${role}`,
      ]);
    }
    const [route] = of('full', 'HTTPRoute');
    const rules = route.spec.rules.map((rule: any) => [rule.matches[0].path.value, rule.backendRefs[0].name]);
    const to = (role: SplitRole) => `evidence-${role}`;
    expect(rules).toEqual([...table.rules.map((rule) => [patternOf(rule), to(rule.role)]), ['/', to(table.otherwise)]]);
  });

  it('lets only the trust worker call the outside', () => {
    const policies = of('full', 'NetworkPolicy').filter(({ metadata }) => !/first/.test(metadata.name));
    expect(policies.map(({ spec }) => spec.podSelector.matchLabels['app.kubernetes.io/component'])).toEqual([
      undefined,
      'trust-worker',
    ]);
    const [{ spec }] = policies;
    expect(spec.policyTypes).toEqual(['Ingress', 'Egress']);
    // The router and the processes reach each other.
    const own = { podSelector: spec.podSelector };
    expect(spec.ingress[0].from).toContainEqual(own);
    expect(spec.egress).toContainEqual({ to: [own], ports: [{ port: 'http' }] });
  });

  it('is small by itself: one process in two pods, of half a processor together', () => {
    const [deployment, ...others] = of('single', 'Deployment');
    expect(others).toEqual([]);
    const [{ args, env, resources }] = deployment.spec.template.spec.containers;
    expect([args, deployment.spec.replicas, resources.requests.cpu]).toEqual([undefined, 2, '250m']);
    // Each of two pods would make one, whose token is lost with it.
    expect(env).toContainEqual({ name: 'SERVICE_FIRST_WORKSPACE', value: 'off' });
  });

  it('names no Service, account, Secret or Role that it does not make, and none twice', () => {
    for (const [name, objects] of rendered) {
      const made = objects.map(({ kind, metadata }) => `${kind} ${metadata.name}`);
      expect([name, made.toSorted()]).toEqual([name, [...new Set(made)].toSorted()]);
      const text = JSON.stringify(objects.filter(({ kind }) => /Route|Ingress/.test(kind)));
      const services = [...text.matchAll(/"(?:backendRefs":\[\{"name|service":\{"name)":"([^"]+)"/g)].map(
        ([, one]) => one,
      );
      for (const service of services) expect(made).toContain(`Service ${service}`);
      const accounts = podsOf(objects).flatMap(({ serviceAccountName }) => serviceAccountName ?? []);
      for (const account of accounts) expect(made).toContain(`ServiceAccount ${account}`);
      for (const { metadata, spec } of objects.filter(({ kind }) => kind === 'Service'))
        expect([
          metadata.name,
          objects.filter(
            (object) =>
              object.kind === 'Deployment' &&
              Object.entries(spec.selector).every(
                ([label, value]) => object.spec.template.metadata.labels[label] === value,
              ),
          ).length,
        ]).toEqual([metadata.name, 1]);
    }
  });

  it.each<readonly [string, unknown]>([
    ['replicaCount', { replicaCount: 3 }],
    ['repositry', { image: { repositry: 'x' } }],
    ['mode', { mode: 'both' }],
    ['trustedProxies', { trustedProxies: -1 }],
    ['baseUrl', { baseUrl: 'evidence.example.org' }],
    ['credentials', { s3: { ...SMALLEST.s3, credentials: 'role' } }],
    ['database', { database: { credentials: 'iam' } }],
    ['service_log_level', { settings: { service_log_level: 'info' } }],
    ['settings', { settings: { SERVICE_LOG_LEVEL: ['info'] } }],
    ['stages', { processes: { 'ingest-api': { stages: ['ingets'] } } }],
    ['processes', { processes: { 'ingest-apis': { replicas: 3 } } }],
    ['replicas', { single: { replicas: '3' } }],
    ['ports', { networkPolicy: { stores: [{ to: [], ports: ['5432'] }] } }],
    ['runAsUser', { podSecurityContext: { runAsUser: 0 } }],
    ['digest', { image: { digest: 'sha256:abc' } }],
    ['firstWorkspace', { firstWorkspace: { enabled: true, slug: 'Demo!' } }],
    ['tolerations', { tolerations: { key: 'x' } }],
    ['resources', { single: { resources: { request: { cpu: 1 } } } }],
  ])('refuses a wrong or misspelt %s before anything is made', async (word, wrong) => {
    await expect(renderValues({ ...SMALLEST, ...(wrong as object) })).rejects.toThrow(
      new RegExp(`values don't meet the specifications of the schema[^]*${word}`),
    );
  });

  it('needs a place for evidence that lasts', async () => {
    await expect(renderValues({ ...SMALLEST, s3: { enabled: false } })).rejects.toThrow(
      'set persistence.existingClaim',
    );
    const claimed = await renderValues({ ...SMALLEST, s3: { enabled: false }, persistence: { existingClaim: 'data' } });
    const [{ containers, volumes }] = podsOf(claimed);
    expect(volumes).toContainEqual({ name: 'data', persistentVolumeClaim: { claimName: 'data' } });
    expect(containers[0].env.filter((one: any) => one.name.startsWith('S3_'))).toEqual([]);
  });

  it('writes numbers of settings as whole numbers, and no variable twice', async () => {
    const settings = {
      SERVICE_OTLP_IN_HAND_BYTES_MAX: 100_000_000,
      SERVICE_CONNECTIONS_MAX: 4096,
      DATABASE_URL_FILE: '/vault/secrets/database',
      SERVICE_MASTER_KEY_FILE: '/vault/secrets/key',
      SERVICE_CONSOLE_UPSTREAM: 'http://console',
      S3_REGION: 'eu-north-1',
      NODE_EXTRA_CA_CERTS: '/ca.pem',
      SERVICE_FIRST_WORKSPACE: 'on',
    };
    for (const mode of ['single', 'split']) {
      const firstWorkspace = { enabled: true, slug: 'demo' };
      const given = { ...SMALLEST, mode, settings, firstWorkspace, redis: { enabled: true } };
      for (const { containers } of podsOf(await renderValues(given)))
        for (const { env, name } of containers.filter((one: any) => one.name !== 'router')) {
          const names = env.map((one: any) => one.name);
          expect([name, names.toSorted()]).toEqual([name, [...new Set(names)].toSorted()]);
          expect(Object.fromEntries(env.map((one: any) => [one.name, one.value]))).toMatchObject({
            ...settings,
            SERVICE_OTLP_IN_HAND_BYTES_MAX: '100000000',
            SERVICE_CONNECTIONS_MAX: '4096',
          });
        }
    }
  });

  it('fits names of any release into what Kubernetes takes', async () => {
    const full = JSON.parse(await readFile(join(folder, 'full'), 'utf8'));
    const release = `r${'elease-'.repeat(8)}x`.slice(0, 53);
    for (const { metadata, kind } of await renderValues(full, release))
      expect([kind, metadata.name.length <= 63, /^[a-z][a-z0-9-]*[a-z0-9]$/.test(metadata.name)]).toEqual([
        kind,
        true,
        true,
      ]);
  });

  it('leaves users and groups to OpenShift where they are null', async () => {
    const none = { runAsUser: null, runAsGroup: null, fsGroup: null };
    const given = { ...SMALLEST, mode: 'split', podSecurityContext: none, router: { podSecurityContext: none } };
    const contexts = podsOf(await renderValues(given)).map(({ securityContext }) => securityContext);
    expect(contexts).toHaveLength(7);
    for (const context of contexts)
      expect(context).toEqual({ runAsNonRoot: true, seccompProfile: { type: 'RuntimeDefault' } });
  });

  it('takes files of Vault, and roles in place of keys', async () => {
    const role = { 'eks.amazonaws.com/role-arn': 'arn:aws:iam::111122223333:role/evidence' };
    const objects = await renderValues({
      baseUrl: SMALLEST.baseUrl,
      s3: { ...SMALLEST.s3, credentials: 'aws' },
      database: { credentials: 'aws' },
      secrets: { folder: '/vault/secrets', masterKeyWrapped: 'key' },
      serviceAccount: { annotations: role },
    });
    for (const { containers, volumes } of podsOf(objects)) {
      const env = Object.fromEntries(containers[0].env.map((one: any) => [one.name, one.value]));
      expect(Object.keys(env).filter((name) => name.endsWith('_FILE'))).toEqual([
        'DATABASE_URL_FILE',
        'SERVICE_MASTER_KEY_WRAPPED_FILE',
      ]);
      expect(env).toMatchObject({
        DATABASE_URL_FILE: '/vault/secrets/database_url',
        S3_CREDENTIALS: 'aws',
        DATABASE_CREDENTIALS: 'aws',
      });
      expect(volumes.map((one: any) => one.name)).toEqual(['data', 'tmp']);
    }
    const accounts = objects.filter(({ kind }) => kind === 'ServiceAccount');
    expect(accounts.map(({ metadata }) => metadata.name).toSorted()).toEqual(['evidence', 'evidence-migrate']);
    for (const { metadata } of accounts) expect(metadata.annotations).toMatchObject(role);
    const [policy] = objects.filter(({ kind }) => kind === 'NetworkPolicy');
    expect(JSON.stringify(policy.spec.egress)).toContain('169.254.170.23/32');
  });

  it('names what asks for names: kube-dns, OpenShift and NodeLocal DNS', () => {
    const [policy] = of('single', 'NetworkPolicy');
    const [dns] = policy.spec.egress;
    expect(dns.ports.map((one: any) => `${one.port}/${one.protocol}`)).toEqual([
      '53/UDP',
      '53/TCP',
      '5353/UDP',
      '5353/TCP',
    ]);
    for (const place of ['kube-system', 'openshift-dns', '169.254.20.10/32'])
      expect(JSON.stringify(dns.to)).toContain(place);
  });

  it('scales the workers by the age of their queues, through the External Metrics API or KEDA', () => {
    const metrics = of('full', 'HorizontalPodAutoscaler').map(({ spec }) => [
      spec.scaleTargetRef.name.replace('evidence-', ''),
      spec.metrics[0].external?.metric.name ?? spec.metrics[0].resource.name,
    ]);
    expect(Object.fromEntries(metrics)).toEqual({
      'ingest-api': 'cpu',
      'evidence-store': 'cpu',
      'trust-worker': 'cpu',
      'reconciliation-worker': 'reconciliation_oldest_open_seconds',
      'otlp-ingester': 'otlp_inbox_age_seconds',
    });
    for (const { spec } of processesOf('full')) expect(spec.replicas).toBeUndefined();
    const queries = of('keda', 'ScaledObject').map(({ spec }) => spec.triggers[0].metadata.query);
    expect(queries.toSorted()).toEqual([
      'max(otlp_inbox_age_seconds{namespace="evidence"})',
      'max(reconciliation_oldest_open_seconds{namespace="evidence"})',
    ]);
  });
});
