import { answerRecord, logKeyList, type TrustFile } from '@answer-evidence/contracts';
import { parseJson } from '@answer-evidence/encoding';
import { verifySignature } from '@answer-evidence/node-crypto';
import { verifyBundle } from '@answer-evidence/verify';
import type { Bench } from '../bench.ts';
import { createFigure, type Result } from '../figures.ts';
import { createBodyTemplate, formatKey, KEY_PLACEHOLDER } from '../service/create-body.ts';
import type { BenchService } from '../service/open-service.ts';

const TARGET = 2000;
const WARM_UP_SECONDS = 2;

/** Measurement 5: bundles a second that this one thread verifies, from their bytes to the verdict. */
export async function measureOfflineVerification(bench: Bench): Promise<Result> {
  const { rounds, roundSeconds } = bench.options;
  const bundle = await fetchBundle(bench.service);
  const trust = await fetchTrust(bench.service);
  const passed = await verifyOnce(bundle, trust);
  bench.progress(`a bundle of ${bundle.byteLength} bytes: ${passed} checks pass, none fails`);
  await verifyFor(bundle, trust, WARM_UP_SECONDS);
  const rates: number[] = [];
  for (let round = 1; round <= rounds; round++) {
    const rate = await verifyFor(bundle, trust, roundSeconds);
    rates.push(rate);
    bench.progress(`round ${round} of ${rounds}: ${Math.round(rate)} bundles/s`);
  }
  const measured = createFigure('bundles', '/s', rates);
  return {
    number: 5,
    work: 'offline verification on one core',
    measured,
    against: null,
    ratio: null,
    target: `≥ ${TARGET}/s`,
    holds: measured.median >= TARGET,
  };
}

async function verifyFor(bundle: Uint8Array, trust: TrustFile, seconds: number): Promise<number> {
  const start = performance.now();
  let elapsedMs = 0;
  let verified = 0;
  while (elapsedMs < seconds * 1000) {
    await verifyOnce(bundle, trust);
    verified += 1;
    elapsedMs = performance.now() - start;
  }
  return verified / (elapsedMs / 1000);
}

/** How many checks pass. Throws when one fails: a verifier that stops early is fast. */
async function verifyOnce(bundle: Uint8Array, trust: TrustFile): Promise<number> {
  const { checks } = await verifyBundle(parseJson(bundle), trust, { verifySignature });
  const failed = checks.filter(({ outcome }) => outcome === 'FAIL');
  if (failed.length > 0) throw new Error(`the bundle fails: ${failed.map(({ check }) => check).join(', ')}`);
  return checks.filter(({ outcome }) => outcome === 'PASS').length;
}

async function fetchBundle(service: BenchService): Promise<Uint8Array> {
  const created = await call(service.createUrl, service.applicationToken, {
    method: 'POST',
    body: createBodyTemplate().replace(KEY_PLACEHOLDER, formatKey(service.nextPrefix(), 0)),
  });
  const { id } = answerRecord.parse(await created.json());
  const proof = await call(`${service.baseUrl}/api/trust/proofs/answers/${id}`, service.managerToken);
  return new Uint8Array(await proof.arrayBuffer());
}

async function fetchTrust(service: BenchService): Promise<TrustFile> {
  const keys = await call(`${service.baseUrl}/api/trust/keys`, service.managerToken);
  const { origin, items } = logKeyList.parse(await keys.json());
  const pins = items.map(({ vkey, first_tree_size, last_tree_size }) => ({ vkey, first_tree_size, last_tree_size }));
  return { format: 'answer-evidence-trust/v1', logs: [{ origin, keys: pins }], witness_policy: null, tsa_roots: [] };
}

async function call(url: string, token: string, init: RequestInit = {}): Promise<Response> {
  const headers = { Authorization: `Bearer ${token}`, 'Content-Type': 'application/json' };
  const response = await fetch(url, { ...init, headers });
  if (!response.ok) throw new Error(`${url} was answered with ${response.status}: ${await response.text()}`);
  return response;
}
