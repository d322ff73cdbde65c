import { win32 } from 'node:path';
import { describe, expect, it } from '@jest/globals';
import { resolveConnection } from './config.ts';
import { createMemoryIo, type MemoryFile } from './testing/memory-io.ts';
import { UsageError } from './usage-error.ts';

const DEFAULT_PATH = '/home/me/.config/answer-evidence/config.yaml';

function configOf(name: string): string {
  return [
    `registry: https://${name}.example`,
    `auth: {token: token-of-${name}, token_id: "123", token_name: laptop}`,
    'profile: {username: ada, tenant_slug: demo, tenant_display_name: Demo}',
  ].join('\n');
}

type Case = { option?: string; env?: Record<string, string>; files?: Record<string, string | MemoryFile> };

async function resolve({ option, env = {}, files = {} }: Case) {
  return resolveConnection(createMemoryIo({ env, files }).io, option);
}

async function getRefusal(given: Case): Promise<string> {
  const refusal: unknown = await resolve(given).catch((error: unknown) => error);
  expect(refusal).toBeInstanceOf(UsageError);
  return String(refusal);
}

const saved = { [DEFAULT_PATH]: configOf('saved') };

describe('resolveConnection', () => {
  it.each<[string, Case, string, string]>([
    ['the file alone', { files: saved }, 'https://saved.example', 'token-of-saved'],
    [
      'SERVICE_REGISTRY before the file',
      { env: { SERVICE_REGISTRY: 'https://env.example' }, files: saved },
      'https://env.example',
      'token-of-saved',
    ],
    [
      '--registry before both',
      { option: 'https://option.example', env: { SERVICE_REGISTRY: 'https://env.example' }, files: saved },
      'https://option.example',
      'token-of-saved',
    ],
    [
      'SERVICE_TOKEN before the file',
      { env: { SERVICE_TOKEN: 'env-token' }, files: saved },
      'https://saved.example',
      'env-token',
    ],
    [
      'an empty variable as none',
      { env: { SERVICE_TOKEN: '', SERVICE_REGISTRY: '', SERVICE_CONFIG: '' }, files: saved },
      'https://saved.example',
      'token-of-saved',
    ],
    [
      'ANSWER_EVIDENCE_URL and ANSWER_EVIDENCE_TOKEN before the file',
      { env: { ANSWER_EVIDENCE_URL: 'https://env.example', ANSWER_EVIDENCE_TOKEN: 'env-token' }, files: saved },
      'https://env.example',
      'env-token',
    ],
    [
      'the names of the contract before the others',
      {
        env: {
          SERVICE_REGISTRY: 'https://env.example',
          SERVICE_TOKEN: 'env-token',
          ANSWER_EVIDENCE_URL: 'https://second.example',
          ANSWER_EVIDENCE_REGISTRY: 'https://third.example',
          ANSWER_EVIDENCE_TOKEN: 'second-token',
        },
      },
      'https://env.example',
      'env-token',
    ],
    [
      'SERVICE_CONFIG before the home directory',
      { env: { SERVICE_CONFIG: '/etc/ae.yaml' }, files: { ...saved, '/etc/ae.yaml': configOf('other') } },
      'https://other.example',
      'token-of-other',
    ],
    [
      'no file at all when the environment says it all',
      { env: { SERVICE_REGISTRY: 'https://env.example', SERVICE_TOKEN: 'env-token' } },
      'https://env.example',
      'env-token',
    ],
    [
      'the environment without a look at a file that is refused',
      {
        env: { SERVICE_REGISTRY: 'https://env.example', SERVICE_TOKEN: 'env-token' },
        files: { [DEFAULT_PATH]: { content: '', mode: 0o644 } },
      },
      'https://env.example',
      'env-token',
    ],
  ])('takes %s', async (_, given, registry, token) => {
    expect(await resolve(given)).toMatchObject({ registry, token });
  });

  it('knows the workspace of a saved token, and of no other token', async () => {
    expect((await resolve({ files: saved })).savedSlug).toBe('demo');
    expect((await resolve({ files: saved, env: { SERVICE_TOKEN: 'env-token' } })).savedSlug).toBeUndefined();
  });

  it.each([[0o640], [0o604], [0o660], [0o777]])('refuses a file of mode %o and says chmod 600', async (mode) => {
    expect(await getRefusal({ files: { [DEFAULT_PATH]: { content: configOf('saved'), mode } } })).toContain(
      'chmod 600',
    );
  });

  it.each([[0o600], [0o400], [0o700]])('takes a file of mode %o', async (mode) => {
    const files = { [DEFAULT_PATH]: { content: configOf('saved'), mode } };
    expect((await resolve({ files })).token).toBe('token-of-saved');
  });

  it('says what is missing', async () => {
    expect(await getRefusal({})).toContain('no registry');
    expect(await getRefusal({ option: 'https://option.example' })).toContain('no token');
    expect(await getRefusal({ env: { SERVICE_CONFIG: '/gone.yaml' } })).toContain('/gone.yaml');
  });

  it.each([
    ['an unknown key', 'registry: https://a.example\ntokens: my-secret'],
    ['an unknown key of auth', 'registry: https://a.example\nauth: {token: my-secret, secret: my-secret}'],
    ['a list', '- my-secret'],
    ['a key named twice', 'auth: {token: my-secret}\nauth: {token: my-secret}'],
    ['broken YAML', 'auth: {token: "my-secret'],
    ['a token over two lines', 'registry: https://a.example\nauth: {token: "my-secret\\nmy-secret"}'],
  ])('refuses %s and never quotes a value', async (_, content) => {
    expect(await getRefusal({ files: { [DEFAULT_PATH]: content } })).not.toContain('my-secret');
  });
});

it('finds the configuration file of a home directory on Windows', async () => {
  const homeDir = 'C:\\Users\\ada';
  const files = { 'C:\\Users\\ada\\.config\\answer-evidence\\config.yaml': configOf('saved') };
  const { io } = createMemoryIo({ homeDir, files, paths: win32 });
  await expect(resolveConnection(io, undefined)).resolves.toMatchObject({ token: 'token-of-saved' });
});
