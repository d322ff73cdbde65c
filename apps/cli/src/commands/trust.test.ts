import { createHash } from 'node:crypto';
import { describe, expect, it } from '@jest/globals';
import { DEFAULT_TRUST_POLICY, trustFile } from '@answer-evidence/contracts';
import { runTranscript } from '../testing/run-transcript.ts';
import { ID } from '../testing/samples.ts';
import { createSignedBundle } from '../testing/signed-bundle.ts';

const VKEY = 'log.example/demo/00000000+11223344+AXl5eXl5';
const keys = {
  origin: 'log.example/demo/00000000',
  items: [
    {
      vkey: VKEY,
      first_tree_size: 0,
      last_tree_size: null,
      algorithm: 'ed25519',
      purpose: 'checkpoint',
      state: 'active',
    },
  ],
  earlier: [{ origin: 'log.example/demo/earlier', keys: [{ vkey: VKEY, first_tree_size: 0, last_tree_size: null }] }],
};
const TSA = {
  id: 'tsa',
  type: 'rfc3161' as const,
  url: 'https://tsa.example',
  certificate_pem: 'a certificate',
  required: true,
};
const policy = { ...DEFAULT_TRUST_POLICY, anchors: [TSA], anchors_required: 1, version: 3, updated_at: null };
const routes = { 'GET /api/trust/keys': { body: keys }, 'GET /api/trust/policy': { body: policy } };
const fingerprint = (createHash('sha256').update(VKEY).digest('hex').match(/.{4}/g) ?? []).join(' ');

describe('trust export', () => {
  it('writes a trust file, shows the fingerprints, and says to compare them', async () => {
    const { files, stdout, stderr, exitCode } = await runTranscript(['trust', 'export', '--out', '/t.json'], routes);
    expect(exitCode).toBe(0);
    expect(trustFile.parse(JSON.parse(files.get('/t.json') ?? ''))).toMatchObject({
      logs: [
        { origin: keys.origin, keys: [{ vkey: VKEY, first_tree_size: 0, last_tree_size: null }] },
        ...keys.earlier,
      ],
      witness_policy: 'quorum none\n',
      anchors: [{ anchor_id: 'tsa', type: 'rfc3161', required: true, certificate_pem: 'a certificate' }],
      anchors_required: 1,
    });
    expect(stdout).toContain(fingerprint);
    expect(stderr).toContain('over another channel');
  });

  it('needs a file to write to', async () => {
    expect(await runTranscript(['trust', 'export'], routes)).toMatchObject({ exitCode: 2, seen: [] });
  });
});

describe('trust keys', () => {
  it('shows each key with its fingerprint', async () => {
    const { stdout } = await runTranscript(['trust', 'keys', '--output', 'json'], routes);
    expect(JSON.parse(stdout)).toEqual({ ...keys, items: [{ ...keys.items[0], fingerprint }] });
  });
});

describe('trust keys of a service before ML-DSA-44', () => {
  it('are keys of Ed25519, though it does not say so', async () => {
    const items = keys.items.map(({ algorithm: _, ...key }) => key);
    const { stdout, exitCode } = await runTranscript(['trust', 'keys', '--output', 'json'], {
      ...routes,
      'GET /api/trust/keys': { body: { ...keys, items } },
    });
    expect(exitCode).toBe(0);
    expect(JSON.parse(stdout).items).toEqual([{ ...keys.items[0], fingerprint }]);
  });
});

describe('trust policy', () => {
  it('shows the policy', async () => {
    const { stdout } = await runTranscript(['trust', 'policy', 'get', '--output', 'json'], routes);
    expect(JSON.parse(stdout)).toEqual(policy);
    expect((await runTranscript(['trust', 'policy', 'get'], routes)).stdout).toMatch(/anchor tsa +rfc3161 .*required/);
  });

  it('changes what is named, keeps the rest, and is refused when another change came first', async () => {
    const answered = { ...routes, 'PUT /api/trust/policy': { body: { ...policy, public_log: true, version: 4 } } };
    const args = ['trust', 'policy', 'set', 'public_log=true', '--witness-policy', '/w.txt'];
    const { seen, exitCode } = await runTranscript(args, answered, { files: { '/w.txt': 'quorum none\n' } });
    expect(exitCode).toBe(0);
    const sent = JSON.parse(seen.find(({ method }) => method === 'PUT')?.body ?? '') as object;
    expect(sent).toEqual({ ...policy, public_log: true, witness_policy: 'quorum none\n' });
  });

  it('changes a policy that was changed before', async () => {
    const before = { ...policy, updated_at: '2026-11-20T09:00:00.000000Z' };
    const after = { ...before, public_log: true, version: 4, updated_at: '2026-11-21T09:00:00.000000Z' };
    const answered = { ...routes, 'GET /api/trust/policy': { body: before }, 'PUT /api/trust/policy': { body: after } };
    expect(await runTranscript(['trust', 'policy', 'set', 'public_log=true'], answered)).toMatchObject({ exitCode: 0 });
  });

  it('sends nothing that is not of the form', async () => {
    for (const args of [[], ['public_log'], ['checkpoint_interval_seconds=0'], ['nonsense=1']]) {
      const { exitCode, seen } = await runTranscript(['trust', 'policy', 'set', ...args], routes);
      expect([exitCode, seen.some(({ method }) => method === 'PUT')]).toEqual([2, false]);
    }
  });
});

describe('trust anchor', () => {
  it('asks for a run, and lists what came of it', async () => {
    const anchor = {
      id: ID,
      anchor_id: 'tsa',
      type: 'rfc3161',
      tree_size: 7,
      digest: 'ab',
      state: 'pending',
      created_at: '2026-11-20T09:00:00.000000Z',
      anchored_at: null,
      next_attempt_at: null,
      attempts: [{ attempt: 1, at: '2026-11-20T09:00:00.000000Z', outcome: 'failed', detail: 'nobody there' }],
    };
    const page = { items: [anchor], page: 1, size: 50, total: 1, total_relation: 'eq', next_cursor: null };
    const run = await runTranscript(['trust', 'anchor', 'run'], {
      'POST /api/trust/anchors/run': { status: 202, body: { accepted: true, job_id: ID } },
    });
    expect(run).toMatchObject({ exitCode: 0 });
    const list = await runTranscript(['trust', 'anchor', 'list', '--size', '50'], {
      'GET /api/trust/anchors': { body: page },
    });
    expect(list.stdout).toMatch(/7 +tsa +rfc3161 +pending .*nobody there/);
    expect(list.seen.at(-1)?.query).toBe('?size=50');
  });
});

describe('trust proof', () => {
  it('keeps the whole bundle, in a file or on standard output', async () => {
    const { bundle } = createSignedBundle();
    const proof = { [`GET /api/trust/proofs/answers/${ID}`]: { body: bundle } };
    const { files, stdout } = await runTranscript(['trust', 'proof', ID, '--out', '/b.json'], proof);
    expect(stdout).toBe('');
    expect(JSON.parse(files.get('/b.json') ?? '')).toEqual(bundle);
    expect(JSON.parse((await runTranscript(['trust', 'proof', ID], proof)).stdout)).toEqual(bundle);
  });

  it('asks for a bundle without texts only when told', async () => {
    const { bundle } = createSignedBundle();
    const disclosed = { ...bundle.record.disclosed, question: null, answer: null };
    const body = {
      ...bundle,
      format: 'answer-evidence-bundle/v2',
      withheld: ['texts'],
      record: { ...bundle.record, disclosed },
    };
    const proof = { [`GET /api/trust/proofs/answers/${ID}`]: { body } };
    const run = await runTranscript(['trust', 'proof', ID, '--withhold-texts'], proof);
    expect(run.seen.at(-1)?.query).toBe('?texts=withheld');
    expect(JSON.parse(run.stdout)).toEqual(body);
  });

  it('ends with 1 when the service has no proof', async () => {
    expect(await runTranscript(['trust', 'proof', ID, '--out', '/b.json'])).toMatchObject({ exitCode: 1, stdout: '' });
  });
});

describe('ledger check', () => {
  const report = {
    origin: keys.origin,
    tree_size: 42,
    root_hash: 'ab',
    entries_checked: 42,
    outcome: 'PASS',
    findings_total: 0,
    findings: [],
  };

  /** The reply of a service that says how far it is before it says what it found. */
  const check = (found: object) => {
    const lines = [
      { kind: 'progress', part: 'leaves', done: 42, of: 42 },
      { kind: 'report', report: found },
    ];
    return { 'POST /api/trust/ledger-checks': { body: lines.map((line) => `${JSON.stringify(line)}\n`).join('') } };
  };

  it('ends with 0 when everything was re-derived, and says meanwhile how far it is', async () => {
    const transcript = await runTranscript(['ledger', 'check'], check(report));
    expect(transcript).toMatchObject({ exitCode: 0, stderr: 'The service has gone through 42 of 42 leaves …\n' });
  });

  it('shows every finding and ends with 1', async () => {
    const finding = { check: 'record_hash', object: `record ${ID}`, leaf_index: 7, detail: 'the core was altered' };
    const body = { ...report, outcome: 'FAIL', findings_total: 1, findings: [finding] };
    const transcript = await runTranscript(['ledger', 'check'], check(body));
    expect(transcript.exitCode).toBe(1);
    expect(transcript.stdout).toMatch(/record_hash +record 0199\S+ +7 +the core was altered/);
  });
});
