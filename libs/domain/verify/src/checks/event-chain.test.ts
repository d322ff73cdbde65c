import { expect, it } from '@jest/globals';
import type { SecondPerson } from '@answer-evidence/contracts';
import { bundleOf, trustOf } from '../../fixtures/bundles.ts';
import { MemoryLedger } from '../../fixtures/memory-ledger.ts';
import { verifySignature } from '../../fixtures/signer.ts';
import { sayDetail, verifyBundle } from '../index.ts';

const REQUEST = '0199f3c2-0000-7000-8000-000000000001';
const OTHER = { kind: 'user', id: '0199f3c2-0000-7000-8000-000000000002', token_id: null } as const;

/** What the chain of a record with two events says, of which the second one names who approved it. */
async function chainWith(approvalBy: (asker: NonNullable<SecondPerson['approved_by']>) => SecondPerson) {
  const own = await MemoryLedger.open();
  const id = await own.record({});
  await own.event(id, { type: 'retention_extended' });
  const asker = bundleOf(own, id).events[0]?.core.actor;
  if (asker === undefined) throw new Error('there is an event');
  await own.event(id, { type: 'voided', approval: approvalBy(asker) });
  const { checks } = await verifyBundle(bundleOf(own, id), trustOf(own), { verifySignature });
  const { outcome, detail } = checks.find(({ check }) => check === 'event_chain') ?? {};
  return { outcome, detail: detail ?? '', asker: asker.id };
}

it('shows who asked for an event and who approved it', async () => {
  const { outcome, detail, asker } = await chainWith(() => ({ approval_id: REQUEST, approved_by: OTHER }));
  expect([outcome, detail]).toEqual([
    'PASS',
    `2 events follow the record in an unbroken chain; event 2 was asked for by ${asker} and approved by ${OTHER.id}`,
  ]);
  expect(sayDetail(detail, 'de')).toContain(`Ereignis 2 hat ${asker} beantragt und ${OTHER.id} freigegeben`);
});

it('shows who acted alone, and says nothing where nobody had to approve', async () => {
  const { outcome, detail, asker } = await chainWith(() => ({ approval_id: null, approved_by: null }));
  expect([outcome, detail]).toEqual([
    'PASS',
    `2 events follow the record in an unbroken chain; event 2 is by ${asker} alone, since nobody else could approve it`,
  ]);
  expect(sayDetail(detail, 'de')).toContain('allein, weil niemand sonst');
});

it('fails where who asked approved it, or half of the pair is missing, although the log has it so', async () => {
  expect(await chainWith((asker) => ({ approval_id: REQUEST, approved_by: asker }))).toMatchObject({
    outcome: 'FAIL',
    detail: 'event 2 was approved by who asked for it',
  });
  for (const half of [
    { approval_id: REQUEST, approved_by: null },
    { approval_id: null, approved_by: OTHER },
  ])
    expect((await chainWith(() => half)).outcome).toBe('FAIL');
});
