import nx from '@nx/eslint-plugin';
import parser from '@typescript-eslint/parser';

/** Who may import whom; the tag of a project equals its layer's folder. */
const layers = [
  { sourceTag: 'contracts', onlyDependOnLibsWithTags: ['contracts'], allowedExternalImports: ['zod', 'leven'] },
  { sourceTag: 'domain', onlyDependOnLibsWithTags: ['contracts', 'domain'], allowedExternalImports: [] },
  {
    sourceTag: 'formats',
    onlyDependOnLibsWithTags: ['contracts', 'domain', 'formats'],
    allowedExternalImports: ['zod', 'asn1js'],
  },
  { sourceTag: 'ports', onlyDependOnLibsWithTags: ['contracts', 'domain'], allowedExternalImports: [] },
  { sourceTag: 'routes', onlyDependOnLibsWithTags: ['contracts', 'domain', 'ports'], allowedExternalImports: ['zod'] },
  { sourceTag: 'http-edge', onlyDependOnLibsWithTags: ['contracts', 'domain', 'ports', 'routes'] },
  {
    sourceTag: 'grpc-edge',
    onlyDependOnLibsWithTags: ['contracts', 'domain', 'formats', 'ports', 'routes', 'http-edge'],
  },
  { sourceTag: 'adapters', onlyDependOnLibsWithTags: ['contracts', 'domain', 'formats', 'ports'] },
  {
    sourceTag: 'preparation',
    onlyDependOnLibsWithTags: ['contracts', 'domain', 'ports'],
    allowedExternalImports: [],
  },
  {
    sourceTag: 'stages',
    onlyDependOnLibsWithTags: ['contracts', 'domain', 'formats', 'ports', 'preparation', 'routes'],
    allowedExternalImports: ['zod'],
  },
  {
    sourceTag: 'runtime',
    onlyDependOnLibsWithTags: [
      'contracts',
      'domain',
      'formats',
      'ports',
      'routes',
      'http-edge',
      'grpc-edge',
      'adapters',
      'stages',
    ],
  },
  { sourceTag: 'client', onlyDependOnLibsWithTags: ['contracts', 'domain'], allowedExternalImports: [] },
  { sourceTag: 'server', onlyDependOnLibsWithTags: ['runtime'], allowedExternalImports: [] },
  { sourceTag: 'cli', onlyDependOnLibsWithTags: ['client', 'contracts', 'domain', 'formats'] },
  { sourceTag: 'console', onlyDependOnLibsWithTags: ['client', 'contracts', 'domain', 'formats', 'package'] },
  { sourceTag: 'package', onlyDependOnLibsWithTags: ['client', 'contracts', 'domain', 'formats'] },
  { sourceTag: 'testing', onlyDependOnLibsWithTags: ['*'] },
];

// All other rules are in `.oxlintrc.json`: oxlint knows types and is several times as fast, but it knows no layers.
export default [
  { ignores: ['**/node_modules/**', '**/dist/**'] },
  {
    // `testing` may import everything, also what is tested with it, so it has no place in the order.
    files: ['libs/**/*.ts', 'apps/**/*.{ts,tsx}', 'packages/**/*.ts'],
    // What builds the console is no part of it.
    ignores: ['**/*.test.ts', '**/fixtures/**', 'libs/testing/**', 'apps/console/vite.config.ts'],
    languageOptions: { parser },
    plugins: { '@nx': nx },
    rules: {
      '@nx/enforce-module-boundaries': [
        'error',
        {
          enforceBuildableLibDependency: false,
          allow: [],
          depConstraints: layers,
          // Tests of the lower layers use it, and it uses those layers. No code but tests may import it: that is the
          // layers' rule.
          ignoredCircularDependencies: [['*', '@answer-evidence/testing']],
        },
      ],
    },
  },
];
