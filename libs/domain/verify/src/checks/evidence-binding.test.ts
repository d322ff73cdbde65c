import { describe, expect, it } from '@jest/globals';
import type { CheckResult, JsonObject, ProofBundle } from '@answer-evidence/contracts';
import { formatTimestamp } from '@answer-evidence/encoding';
import { bundleOf, logViewOf, trustOf } from '../../fixtures/bundles.ts';
import { START } from '../../fixtures/constants.ts';
import { FixtureAsset, showEvidence as show } from '../../fixtures/evidence.ts';
import { MemoryLedger } from '../../fixtures/memory-ledger.ts';
import { verifySignature } from '../../fixtures/signer.ts';
import { type LogView, verifyBundle } from '../index.ts';

type World = { readonly ledger: MemoryLedger; readonly faq: FixtureAsset; readonly terms: FixtureAsset };

async function open(): Promise<World> {
  const ledger = await MemoryLedger.open();
  const faq = await FixtureAsset.register(ledger, ['Two years.', 'Free returns.', 'Call us.']);
  return { ledger, faq, terms: await FixtureAsset.register(ledger, ['All rights reserved.']) };
}

async function check(ledger: MemoryLedger, bundle: ProofBundle, log?: LogView): Promise<readonly CheckResult[]> {
  const { checks } = await verifyBundle(bundle, trustOf(ledger), { verifySignature, ...(log ? { log } : {}) });
  return checks;
}

async function binding(ledger: MemoryLedger, bundle: ProofBundle, log?: LogView): Promise<CheckResult | undefined> {
  return (await check(ledger, bundle, log)).find((result) => result.check === 'evidence_binding');
}

/** A record that binds a retrieval of two segments of one asset and of the whole of another. */
async function answered(world: World): Promise<string> {
  const accessEventIds = [await world.faq.access('ev-1', [0, 2]), await world.terms.access('ev-2')];
  const sourceRefs = [{ id: 'ev-1', item: { source_name: 'faq.md' } }];
  return world.ledger.record({ accessEventIds, sourceRefs, retentionUntil: START });
}

async function redact({ ledger }: World, recordId: string, ids: readonly string[]): Promise<string> {
  return ledger.event(recordId, { type: 'redacted', known: { redact_source_ref_ids: [...ids] } });
}

describe('a record that binds accesses', () => {
  it('passes with their leaves, and no other check fails for it', async () => {
    const world = await open();
    const bundle = show(world.ledger, await answered(world), [world.faq, world.terms]);
    const checks = await check(world.ledger, bundle, logViewOf(world.ledger));
    expect(checks.filter(({ outcome }) => outcome === 'FAIL')).toEqual([]);
    expect(checks.find((result) => result.check === 'evidence_binding')).toMatchObject({
      outcome: 'PASS',
      detail: '2 accesses by this application are in the log before the record',
    });
    expect(checks.find((result) => result.check === 'merkle_inclusion')?.detail).toMatch(/^5 leaves/);
  });

  it('fails when they, or what was accessed, are not shown', async () => {
    const world = await open();
    const recordId = await answered(world);
    const whole = show(world.ledger, recordId, [world.faq, world.terms]);
    for (const bundle of [bundleOf(world.ledger, recordId), show(world.ledger, recordId, [world.faq])])
      expect(await binding(world.ledger, bundle)).toMatchObject({ outcome: 'FAIL' });
    const evidence = { accesses: whole.evidence?.accesses ?? [], assets: [world.terms.show()] };
    expect(await binding(world.ledger, { ...whole, evidence })).toMatchObject({ outcome: 'FAIL' });
  });

  it.each<[string, (world: World) => Promise<string>]>([
    ['by another application', ({ faq }) => faq.access('ev-1', null, { application_key: 'other-bot' })],
    ['of a segment that there is not', ({ faq }) => faq.access('ev-1', [3])],
    ['whose core is not one', ({ faq }) => faq.access('ev-1', null, { source_ref_id: 7 })],
  ])('fails for an access %s', async (_, access) => {
    const world = await open();
    const recordId = await world.ledger.record({ accessEventIds: [await access(world)] });
    expect(await binding(world.ledger, show(world.ledger, recordId, [world.faq]))).toMatchObject({ outcome: 'FAIL' });
  });

  it('fails for an access that came after the record', async () => {
    const world = await open();
    const later = await world.faq.access('ev-1');
    const recordId = await world.ledger.record({ accessEventIds: [later] });
    const bundle = show(world.ledger, recordId, [world.faq]);
    const [access] = bundle.evidence?.accesses ?? [];
    if (access === undefined) throw new Error('an access is shown');
    const moved = { ...bundle, record: { ...bundle.record, leaf_index: access.leaf_index - 1 } };
    expect(await binding(world.ledger, moved)).toMatchObject({
      outcome: 'FAIL',
      detail: expect.stringMatching(/after the record/),
    });
  });

  it('fails for an asset of another application', async () => {
    const world = await open();
    const theirs = await FixtureAsset.register(world.ledger, ['x'], { application_key: 'other-bot' });
    const recordId = await world.ledger.record({ accessEventIds: [await theirs.access('ev-1')] });
    expect(await binding(world.ledger, show(world.ledger, recordId, [theirs]))).toMatchObject({ outcome: 'FAIL' });
  });
});

describe('a segment', () => {
  it('may be disclosed by anyone who retrieved it, and is then compared', async () => {
    const world = await open();
    const bundle = show(world.ledger, await answered(world), [world.faq, world.terms]);
    const disclose = (text: string, salt = world.faq.segments[0]?.salt ?? ''): ProofBundle => {
      const assets = bundle.evidence?.assets ?? [];
      const segments = assets[0]?.segments.map((segment) =>
        segment.index === 0 ? { ...segment, disclosed: { salt, text } } : segment,
      );
      const shown = assets.map((asset, i) => (i === 0 && segments ? { ...asset, segments } : asset));
      return { ...bundle, evidence: { accesses: bundle.evidence?.accesses ?? [], assets: shown } };
    };
    expect(await binding(world.ledger, disclose('Two years.'))).toMatchObject({ outcome: 'PASS' });
    for (const altered of [disclose('Three years.'), disclose('Two years.', '00'.repeat(16))])
      expect(await binding(world.ledger, altered)).toMatchObject({ outcome: 'FAIL' });

    const eventId = await redact(world, bundle.record.core.id, ['ev-1']);
    await world.faq.redact(bundle.record.core.id, eventId, [0, 2]);
    const later = show(world.ledger, bundle.record.core.id, [world.faq, world.terms]);
    expect(await binding(world.ledger, later)).toMatchObject({ outcome: 'PASS' });
    const [faq, terms] = later.evidence?.assets ?? [];
    if (faq === undefined || terms === undefined) throw new Error('two assets are shown');
    const segments = faq.segments.map((segment) => ({
      ...segment,
      disclosed: {
        salt: world.faq.segments[segment.index]?.salt ?? '',
        text: world.faq.segments[segment.index]?.text ?? '',
      },
    }));
    const evidence = { accesses: later.evidence?.accesses ?? [], assets: [{ ...faq, segments }, terms] };
    expect(await binding(world.ledger, { ...later, evidence })).toMatchObject({
      outcome: 'FAIL',
      detail: 'segment 1 of asset 1 is shown, although it was erased according to an entry of the log',
    });
  });
});

describe('a redaction', () => {
  it.each<[string, readonly string[], (world: World, recordId: string, eventId: string) => Promise<void>]>([
    ['segments', ['ev-1'], ({ faq }, record, event) => faq.redact(record, event, [0, 2])],
    ['more than was accessed', ['ev-1'], ({ faq }, record, event) => faq.redact(record, event, null)],
    ['a whole asset', ['ev-2'], ({ terms }, record, event) => terms.redact(record, event, null)],
    ['what had expired', ['ev-2'], ({ terms }) => terms.expire()],
  ])('passes with its tombstones, and says so: %s', async (_, ids, erase) => {
    const world = await open();
    const recordId = await answered(world);
    await erase(world, recordId, await redact(world, recordId, ids));
    const bundle = show(world.ledger, recordId, [world.faq, world.terms]);
    expect(await binding(world.ledger, bundle, logViewOf(world.ledger))).toMatchObject({
      outcome: 'PASS',
      detail: expect.stringMatching(/; the accessed content of 1 was erased/),
    });
  });

  it.each<[string, readonly string[], (world: World, recordId: string, eventId: string) => Promise<void>]>([
    ['no tombstone', ['ev-1'], () => Promise.resolve()],
    ['a tombstone of a part', ['ev-1'], ({ faq }, record, event) => faq.redact(record, event, [0])],
    ['a tombstone of segments for the whole', ['ev-2'], ({ terms }, record, event) => terms.redact(record, event, [0])],
    ['one by an event that is not there', ['ev-2'], ({ terms }, record) => terms.redact(record, record, null)],
    ['one of a segment that there is not', ['ev-1'], ({ faq }, record, event) => faq.redact(record, event, [0, 2, 3])],
  ])('fails with %s', async (_, ids, erase) => {
    const world = await open();
    const recordId = await answered(world);
    await erase(world, recordId, await redact(world, recordId, ids));
    const bundle = show(world.ledger, recordId, [world.faq, world.terms]);
    expect(await binding(world.ledger, bundle)).toMatchObject({ outcome: 'FAIL' });
  });

  it.each<[string, number, number, RegExp]>([
    ['before the end that it states', START + 86_400_000_000, START, /before its retention ended/],
    ['earlier than the asset', START - 1, START - 2, /an earlier retention end/],
    ['earlier than the record', START, START + 1, /an earlier retention end/],
    ['earlier than an extension of the record', START, START, /an earlier retention end/],
  ])('is no expiry %s', async (name, stated, ownEnd, words) => {
    const world = await open();
    const accessEventIds = [await world.terms.access('ev-2')];
    const recordId = await world.ledger.record({ accessEventIds, retentionUntil: ownEnd });
    const known = { retain_until: formatTimestamp(START + 1_000_000) };
    if (name.includes('extension')) await world.ledger.event(recordId, { type: 'retention_extended', known });
    await world.terms.expire(stated);
    expect(await binding(world.ledger, show(world.ledger, recordId, [world.terms]))).toMatchObject({
      outcome: 'FAIL',
      detail: expect.stringMatching(words),
    });
  });

  it('that another record made cannot be left out where the log is at hand', async () => {
    const world = await open();
    const [recordId, other] = [await answered(world), await answered(world)];
    const hidden = world.terms.show();
    await world.terms.redact(other, await redact(world, other, ['ev-2']), null);
    const accesses = [...world.faq.showAccesses(), ...world.terms.showAccesses()];
    const ids = new Set<unknown>(bundleOf(world.ledger, recordId).record.core.evidence_access_event_ids);
    const own = accesses.filter(({ core }) => ids.has(core['id']));
    const bundle = {
      ...bundleOf(world.ledger, recordId),
      evidence: { accesses: own, assets: [world.faq.show(), hidden] },
    };
    expect(await binding(world.ledger, bundle, logViewOf(world.ledger))).toMatchObject({
      outcome: 'FAIL',
      detail: expect.stringMatching(/erased part of asset 2 but is not shown/),
    });
  });

  it('of an original is known to a download: none can come after it', async () => {
    const world = await open();
    await world.terms.expire();
    const download: JsonObject = { access: 'download' };
    const recordId = await world.ledger.record({ accessEventIds: [await world.terms.access('ev-1', null, download)] });
    expect(await binding(world.ledger, show(world.ledger, recordId, [world.terms]))).toMatchObject({ outcome: 'FAIL' });
  });
});
