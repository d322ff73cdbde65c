import { describe, expect, it } from '@jest/globals';
import { commitKeyed, commitPlain, deriveRecordKey } from '@answer-evidence/commitments';
import { DEFAULT_SETTINGS, type SettingsValues, type TextOrHash } from '@answer-evidence/contracts';
import { parseHex } from '@answer-evidence/encoding';
import { createFakeWorkspace } from '@answer-evidence/testing';
import { commitTexts, type Submitted } from './commit-texts.ts';
import { commitmentKey, createHashKeys } from './hash-keys.ts';

const { random, workspace } = createFakeWorkspace();
const TENANT_KEY = random.bytes(32);
const KEYED = { answer_audit_keyed_hash_enabled: true, answer_audit_hash_key_id: 'hk_1' };

function submitted(field: 'question' | 'answer', value: TextOrHash, store = true): Submitted {
  return { field, value, store, pointers: { text: `/${field}/text`, hash: `/${field}/hash` } };
}

function commit(values: Partial<SettingsValues>, ...of: readonly Submitted[]) {
  const settings = { version: 1, values: { ...DEFAULT_SETTINGS, ...values }, updatedAt: 0 };
  return commitTexts({ random }, settings, values.answer_audit_keyed_hash_enabled === true ? TENANT_KEY : null, of);
}

describe('commitTexts', () => {
  it('commits to a text by its SHA-256, and needs no salt', () => {
    expect(commit({}, submitted('question', { text: 'a' }), submitted('answer', { text: 'b' }, false))).toEqual({
      committed: [
        { hash: commitPlain('a'), hashKeyId: null, textState: 'stored', text: 'a' },
        { hash: commitPlain('b'), hashKeyId: null, textState: 'discarded', text: null },
      ],
      salt: null,
    });
  });

  it('takes a caller’s hash as it is, where that is accepted, whatever is stored', () => {
    const hash = commitPlain('elsewhere');
    expect(commit({ answer_audit_accept_caller_hash: true }, submitted('answer', { hash }))).toEqual({
      committed: [{ hash, hashKeyId: null, textState: 'not_submitted', text: null }],
      salt: null,
    });
  });

  it('commits by the record’s own key under keyed hashing, one salt for all texts of the object', () => {
    const { committed, salt } = commit(
      KEYED,
      submitted('question', { text: 'a' }),
      submitted('answer', { text: 'a' }, false),
    );
    const recordKey = deriveRecordKey(TENANT_KEY, parseHex(salt ?? '', 32));
    expect(committed).toEqual([
      { hash: commitKeyed(recordKey, 'question', 'a'), hashKeyId: 'hk_1', textState: 'stored', text: 'a' },
      { hash: commitKeyed(recordKey, 'answer', 'a'), hashKeyId: 'hk_1', textState: 'discarded', text: null },
    ]);
    expect(committed[0]?.hash).not.toBe(committed[1]?.hash);
  });

  it('draws a fresh salt for every object', () => {
    const one = commit(KEYED, submitted('answer', { text: 'a' }));
    const other = commit(KEYED, submitted('answer', { text: 'a' }));
    expect(one.salt).not.toBe(other.salt);
    expect(one.committed[0]?.hash).not.toBe(other.committed[0]?.hash);
  });

  it.each<[Partial<SettingsValues>, TextOrHash, string]>([
    [{ answer_audit_accept_text: false }, { text: 'a' }, 'text_not_accepted'],
    [{}, { hash: commitPlain('a') }, 'caller_hash_not_accepted'],
    [{}, { text: 'a', hash: commitPlain('b') }, 'hash_mismatch'],
    [KEYED, { text: 'a', hash: commitPlain('a') }, 'caller_hash_not_accepted'],
  ])('refuses under %j %j', (values, value, code) => {
    expect(() => commit(values, submitted('answer', value))).toThrow(expect.objectContaining({ code }));
  });

  it('never commits to a text in another way where the key is missing', () => {
    const settings = { version: 1, values: { ...DEFAULT_SETTINGS, ...KEYED }, updatedAt: 0 };
    expect(() => commitTexts({ random }, settings, null, [submitted('answer', { text: 'a' })])).toThrow('a key');
  });
});

describe('createHashKeys', () => {
  it('opens a key once, and one that is not there is nothing that the caller could fix', async () => {
    const stored = workspace.vault.createHashKey('hk_1');
    let reads = 0;
    const { administration } = createFakeWorkspace();
    const hashKeys = createHashKeys({
      ...administration,
      findHashKey(_, id) {
        reads += 1;
        return Promise.resolve(id === 'hk_1' ? { id, wrapped_key: stored.wrapped } : undefined);
      },
    });
    const key = await hashKeys(workspace, 'hk_1');
    expect(workspace.vault.fingerprintOfHashKey(key)).toBe(stored.fingerprint);
    expect(await hashKeys(workspace, 'hk_1')).toBe(key);
    expect(reads).toBe(1);
    await expect(hashKeys(workspace, 'hk_2')).rejects.toMatchObject({ code: 'content_damaged', remedy: 'give-up' });
  });

  it('keeps so many keys of a workspace open, and those of another one beside them', async () => {
    const other = { ...workspace, id: 'another' };
    const read: string[] = [];
    const { administration } = createFakeWorkspace();
    const hashKeys = createHashKeys(
      {
        ...administration,
        findHashKey(_, id) {
          read.push(id);
          return Promise.resolve({ id, wrapped_key: workspace.vault.createHashKey(id).wrapped });
        },
      },
      2,
    );
    await hashKeys(other, 'hk_0');
    for (const id of ['hk_1', 'hk_2', 'hk_3']) await hashKeys(workspace, id);
    read.length = 0;
    await hashKeys(other, 'hk_0');
    for (const id of ['hk_2', 'hk_3', 'hk_1']) await hashKeys(workspace, id);
    expect(read).toEqual(['hk_1']);
  });
});

describe('commitmentKey', () => {
  it('is the active key where commitments are keyed, and nothing else', async () => {
    const hashKeys = (_: unknown, keyId: string) => Promise.resolve(Buffer.from(keyId));
    const keyOf = (values: Partial<SettingsValues>) =>
      commitmentKey(hashKeys, workspace, { version: 1, values: { ...DEFAULT_SETTINGS, ...values }, updatedAt: 0 });
    expect(await keyOf(KEYED)).toEqual(Buffer.from('hk_1'));
    expect(await keyOf({ ...KEYED, answer_audit_keyed_hash_enabled: false })).toBeNull();
    expect(await keyOf({})).toBeNull();
  });
});
