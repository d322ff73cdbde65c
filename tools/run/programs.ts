import { V8_FLAGS } from '@answer-evidence/runtime/v8-flags';

/** What a name after `npm run GROUP --` starts: a program after options of Node, or Jest with a configuration. */
export type Target = {
  readonly args: readonly string[];
  readonly environment?: Readonly<Record<string, string>>;
  /** The bundles of the programs are made first. */
  readonly isBuilt?: boolean;
};

const JEST = ['--no-warnings', 'node_modules/jest/bin/jest.js'];

/**
 * The scripts of `package.json` that take a name as their first word. Without one they start what stands under the
 * empty name, if anything does.
 */
export const GROUPS: Readonly<Record<string, Readonly<Record<string, Target>>>> = {
  bench: {
    '': { args: ['tools/bench/main.ts'] },
    evidence: { args: ['tools/bench/evidence.ts'] },
    growth: { args: [...V8_FLAGS, 'tools/bench/growth/main.ts'] },
    peers: { args: ['tools/bench/peers.ts'] },
  },
  conformance: {
    v1: { args: ['tools/conformance/main.ts'] },
    v2: { args: ['tools/conformance/whole.ts'] },
  },
  'docs:site': {
    '': { args: ['tools/site/main.ts'] },
    reference: { args: ['tools/reference/main.ts'] },
  },
  image: {
    '': { args: ['tools/oci/main.ts'] },
    root: { args: ['tools/image/main.ts'] },
  },
  suite: {
    citus: { args: ['tools/citus/main.ts'] },
    crash: {
      args: [...JEST, 'e2e/.*crash'],
      environment: {
        CRASH_CREATES: '8000',
        CRASH_ROUNDS: '3',
        OTLP_CRASH_BATCHES: '90',
        TRUST_CRASH_MOMENTS_MS: '900,1400,1900,2400',
      },
    },
    deployed: { args: [...JEST, '--config', 'jest.deployed.config.mjs'] },
    failover: { args: [...JEST, '--config', 'jest.failover.config.mjs'] },
    faults: { args: ['tools/faults/main.ts'], environment: { TEST_BUILT_PROGRAMS: '1' }, isBuilt: true },
    oddities: { args: ['tools/oddities/main.ts'] },
    'otlp-crash': { args: ['tools/otlp-crash/main.ts'] },
    programs: { args: ['tools/supply-chain/main.ts'] },
    split: { args: [...JEST, '--config', 'jest.split.config.mjs'] },
  },
};
