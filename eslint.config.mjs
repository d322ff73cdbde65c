import js from '@eslint/js';
import nx from '@nx/eslint-plugin';
import prettier from 'eslint-config-prettier';
import simpleImportSort from 'eslint-plugin-simple-import-sort';
import tseslint from 'typescript-eslint';

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
  { sourceTag: 'testing', onlyDependOnLibsWithTags: ['*'] },
];

export default tseslint.config(
  { ignores: ['**/node_modules/**', '**/dist/**', '.nx/**', '.data/**'] },
  js.configs.recommended,
  {
    // One import per module, in one block: Node, packages, our packages, files. `npm run lint -- --fix` sorts.
    plugins: { 'simple-import-sort': simpleImportSort },
    rules: {
      'no-duplicate-imports': 'error',
      'simple-import-sort/imports': [
        'error',
        { groups: [['^\\u0000', '^node:', '^@?\\w', '^@answer-evidence/', '^\\.']] },
      ],
    },
  },
  {
    files: ['**/*.ts'],
    extends: [...tseslint.configs.recommendedTypeChecked],
    languageOptions: { parserOptions: { projectService: true, tsconfigRootDir: import.meta.dirname } },
    rules: {
      '@typescript-eslint/no-explicit-any': 'error',
      '@typescript-eslint/consistent-type-imports': 'error',
      '@typescript-eslint/switch-exhaustiveness-check': ['error', { considerDefaultExhaustiveForUnions: true }],
      '@typescript-eslint/no-unused-vars': ['error', { argsIgnorePattern: '^_', varsIgnorePattern: '^_' }],
    },
  },
  {
    // `testing` may import everything, also what is tested with it, so it has no place in the order.
    files: ['libs/**/*.ts', 'apps/**/*.ts'],
    ignores: ['**/*.test.ts', '**/fixtures/**', 'libs/testing/**'],
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
  {
    files: ['libs/{contracts,domain,formats,ports,preparation,routes,stages}/**/*.ts'],
    ignores: ['**/*.test.ts', 'libs/domain/digest/src/index.ts'],
    rules: {
      'no-restricted-imports': [
        'error',
        {
          patterns: [{ group: ['node:*'], message: 'This layer decides; a port brings the world in as an argument.' }],
        },
      ],
      'no-restricted-globals': ['error', 'process', 'console', 'Buffer', 'setTimeout', 'setInterval', 'fetch'],
      'no-restricted-properties': [
        'error',
        { object: 'Date', property: 'now', message: 'Time is an argument (the clock port).' },
        { object: 'Math', property: 'random', message: 'Randomness is an argument (the random port).' },
        { object: 'JSON', property: 'parse', message: 'Untrusted text goes through encoding/parseJson.' },
      ],
    },
  },
  {
    // Tests read replies as they come; what they assert is their type.
    files: ['**/*.test.ts', 'e2e/**/*.ts'],
    rules: {
      '@typescript-eslint/no-explicit-any': 'off',
      '@typescript-eslint/no-unsafe-argument': 'off',
      '@typescript-eslint/no-unsafe-assignment': 'off',
      '@typescript-eslint/no-unsafe-call': 'off',
      '@typescript-eslint/no-unsafe-member-access': 'off',
      '@typescript-eslint/no-unsafe-return': 'off',
      '@typescript-eslint/unbound-method': 'off',
    },
  },
  {
    files: ['**/*.mjs'],
    languageOptions: { globals: { process: 'readonly', console: 'readonly', URL: 'readonly' } },
  },
  prettier,
);
