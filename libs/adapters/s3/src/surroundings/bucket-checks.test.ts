import { describe, expect, it } from '@jest/globals';
import { judgeSurroundings } from '@answer-evidence/ports';
import { createClient, type Transport } from '../create-client.ts';
import { BUCKET_CHECKS, type BucketFacts, type UrlStyle } from './bucket-checks.ts';

const GOOD: BucketFacts = {
  bucket: 'evidence',
  endpoint: 'https://s3.example.com',
  style: 'path',
  keepsVersions: false,
  lock: 'none',
  skewMs: 400,
};

describe('the checks of a bucket', () => {
  it('all pass for one that is set up as it should be', () => {
    expect(judgeSurroundings(BUCKET_CHECKS, GOOD).filter(({ outcome }) => outcome !== 'PASS')).toEqual([]);
  });

  it.each<readonly [Partial<BucketFacts>, string, RegExp]>([
    [{ bucket: 'my.evidence', style: 'virtual-host' }, 'bucket.url-style', /has a dot.*use a bucket without a dot/],
    [{ keepsVersions: true }, 'bucket.versions', /keeps older versions.*lifecycle rule/],
    [{ lock: 'default' }, 'bucket.lock', /locks every new object.*use a bucket without default retention/],
    [{ endpoint: 'http://s3.example.com' }, 'bucket.tls', /without TLS; use https:\/\/ in S3_ENDPOINT/],
    [{ skewMs: 900_000 }, 'bucket.clock', /900 s ahead of the clock of this machine/],
  ])('name what is wrong with %j', (changes, name, text) => {
    const found = judgeSurroundings(BUCKET_CHECKS, { ...GOOD, ...changes });
    expect(found.filter(({ outcome }) => outcome !== 'PASS')).toEqual([
      { name, outcome: 'WARN', text: expect.stringMatching(text) },
    ]);
  });

  it.each<readonly [UrlStyle, string, string]>([
    ['path', 's3.example.com', '/evidence/objects/x'],
    ['virtual-host', 'evidence.s3.example.com', '/objects/x'],
  ])('tell the form that requests have in the style %s', async (style, host, path) => {
    const asked: unknown[] = [];
    const transport = {
      request({ headers, path: askedPath }: { headers: Record<string, string>; path: string }) {
        asked.push([headers['host'], askedPath]);
        throw new Error('nothing is sent');
      },
    };
    const client = await createClient(
      new URL('https://s3.example.com'),
      { region: 'us-east-1', accessKey: 'a', secretKey: 'b', style },
      transport as unknown as Transport,
    );
    await expect(client.getObject('evidence', 'objects/x')).rejects.toThrow();
    expect(asked).toEqual([[host, path]]);
    const said = judgeSurroundings(BUCKET_CHECKS, { ...GOOD, style }).find(({ name }) => name === 'bucket.url-style');
    expect(said?.text).toBe(style === 'path' ? 'as s3.example.com/evidence' : 'as evidence.s3.example.com');
  });
});
