/**
 * Programs that name the root of the repository, and what they read of it besides what they import. Those that are not
 * here may read all of it.
 */
export const READ_BY: Readonly<Record<string, readonly string[]>> = {
  'apps/cli/bin/find-bundle.mjs': ['apps/cli/', 'package-lock.json'],
  'apps/cli/src/no-passwd.test.ts': ['apps/cli/'],
  'e2e/documented-programs.test.ts': ['docs/', 'packages/sdk/', 'packages/python/', 'packages/cli/', 'apps/cli/'],
  'e2e/fuzz/arbitraries.ts': [],
  'e2e/fuzz/requests.ts': [],
  'e2e/python-package.test.ts': ['packages/python/', 'docs/', 'conformance/', 'e2e/frozen/', 'tools/reference/'],
  'e2e/sdk.test.ts': ['packages/', 'e2e/frozen/', 'tools/build/', 'LICENSE', 'NOTICE', 'package.json'],
  'e2e/tls.test.ts': ['apps/cli/'],
  'libs/adapters/pack-page/src/build-page.ts': ['packages/verify/'],
  'tools/conformance/coverage.test.ts': ['conformance/', 'docs/formats/checks.md'],
  'tools/conformance/verifiers.ts': ['apps/cli/', 'packages/python/src/'],
  'tools/demo/main.ts': ['apps/all-in-one/', 'apps/console/', 'tools/console/'],
  'tools/fuzz/run-target.ts': ['tools/fuzz/', 'conformance/', 'e2e/frozen/', 'tools/otlp-recordings/'],
  'tools/fuzz/targets/proofs.ts': ['tools/fuzz/', 'conformance/'],
  'tools/image/lay-out-image.ts': ['apps/', 'deploy/', 'tools/build/', 'tools/console/', 'Dockerfile', 'package.json'],
  'tools/packages/build/consumers.test.ts': ['packages/', 'e2e/frozen/', 'tools/build/'],
  'tools/packages/build/installed.test.ts': ['packages/', 'e2e/frozen/', 'tools/build/'],
  'tools/packages/build/verifier-files.test.ts': ['packages/', 'e2e/frozen/', 'tools/build/', 'docs/auditor.md'],
  'tools/packages/build/main.ts': ['packages/', 'docs/', 'tools/build/', 'LICENSE', 'NOTICE', 'package.json'],
  'tools/recipes/recipes.test.ts': ['libs/', 'apps/', 'packages/', 'CONTRIBUTING.md', 'docs/', 'package.json'],
  'tools/reference/write-package-reference.test.ts': ['packages/', 'libs/'],
  'tools/regular-expressions/linear.test.ts': ['libs/', 'apps/', 'packages/'],
  'tools/scenery/service-process.ts': [
    ...['all-in-one', 'server', 'operator', 'witness', 'ingest-api', 'evidence-store'].map((app) => `apps/${app}/`),
    ...['otlp-ingester', 'reconciliation-worker', 'trust-worker'].map((app) => `apps/${app}/`),
    'tools/build/',
  ],
};
