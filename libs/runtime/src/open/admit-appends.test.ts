import { describe, expect, it } from '@jest/globals';
import type { PostgresLedger } from '@answer-evidence/postgres';
import type { HeadKeeper } from '@answer-evidence/stage-trust';
import { admitAppends } from './admit-appends.ts';

/** What was appended, and a ledger whose heads admit as told. */
function open(admit: () => Promise<void> | undefined) {
  const appended: string[] = [];
  const append = (way: string) => (workspaceId: string) => {
    appended.push(`${way} ${workspaceId}`);
    return Promise.resolve([]);
  };
  const ledger = { append: append('append'), appendAll: append('appendAll') } as unknown as PostgresLedger;
  return { appended, ledger: admitAppends({ admit } as unknown as HeadKeeper, ledger) };
}

const WAYS = {
  append: (ledger: PostgresLedger): Promise<unknown> => ledger.append('w', () => Promise.reject(new Error('unused'))),
  appendAll: (ledger: PostgresLedger): Promise<unknown> => ledger.appendAll('w', []),
};

describe.each(Object.entries(WAYS))('%s', (way, append) => {
  it('appends at once where the head is kept', async () => {
    const { appended, ledger } = open(() => undefined);
    await append(ledger);
    expect(appended).toEqual([`${way} w`]);
  });

  it('waits until the heads admit it, and appends nothing where they do not', async () => {
    const admitted = Promise.withResolvers<void>();
    const { appended, ledger } = open(() => admitted.promise);
    const appending = append(ledger);
    expect(appended).toEqual([]);
    admitted.resolve();
    await appending;
    expect(appended).toEqual([`${way} w`]);

    const refusing = open(() => Promise.reject(new Error('not kept')));
    await expect(append(refusing.ledger)).rejects.toThrow('not kept');
    expect(refusing.appended).toEqual([]);
  });
});
