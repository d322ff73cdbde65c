import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import fc from 'fast-check';
import { ServiceError } from '@answer-evidence/contracts';
import { createHtmlReader } from '@answer-evidence/html-text';
import { type BodyPart, CallerLeftError, readBodyPart, UNCOUNTED_BYTES } from '@answer-evidence/http-edge';
import { LateBody, type Route } from '@answer-evidence/routes';
import { splitText } from '@answer-evidence/stage-evidence';
import { createTrustStage, type TrustDeps } from '@answer-evidence/stage-trust';
import { createWorkspaceStage } from '@answer-evidence/stage-workspace';
import { parseConfig } from '../ground/config.ts';
import { otlpOptionsOf } from '../ground/otlp-options.ts';
import { type LargeWork, openBodyReaders } from './open-body-readers.ts';
import { routesWithLargeBodies } from './routes-with-large-bodies.ts';

const config = parseConfig({ DATABASE_URL: 'postgres://127.0.0.1/none' });
const routes: readonly Route[] = routesWithLargeBodies(otlpOptionsOf(config)).filter(({ body }) => body !== undefined);

type WorkspaceStageDeps = Parameters<typeof createWorkspaceStage>[0];

/** Whose the bodies are. */
const TASK = {
  workspaceId: 'workspace',
  tokenId: 'token',
  over: new AbortController().signal,
  onWork: () => undefined,
};

let readers: LargeWork;
beforeAll(() => {
  readers = openBodyReaders(config);
});
afterAll(() => readers.close());

/** What came of reading, errors with all that a caller is told of them. */
async function outcomeOf(read: () => unknown): Promise<unknown> {
  try {
    const value = await read();
    return { value: value instanceof LateBody ? value.open() : value };
  } catch (error) {
    if (!(error instanceof ServiceError)) throw error;
    const { code, message, errors, remedy } = error;
    return { code, message, errors, remedy };
  }
}

function manyNumbers(): Uint8Array {
  return new TextEncoder().encode(`[${'1,'.repeat(100_000)}1]`);
}

async function readBothWays(route: Route, text: string | Uint8Array, part: Omit<BodyPart, 'operationId'>) {
  const bytes = () => new Uint8Array(Buffer.from(text));
  return [
    await outcomeOf(() => readBodyPart(route, bytes(), part)),
    await outcomeOf(() => readers.read(TASK, bytes(), { ...part, operationId: route.operationId })),
  ];
}

/** Of a workspace without rules. */
const GIVEN = { given: [] };
const BODY = { name: 'body', contentType: 'application/json', ...GIVEN } as const;

const text = fc.record({ text: fc.string() });
const ref = fc.dictionary(fc.oneof(fc.string(), fc.constant('__proto__')), fc.jsonValue(), { maxKeys: 4 });
const createBody = fc.record({
  application_key: fc.constantFrom('support-bot', 'Not one', ''),
  question: text,
  answer: fc.oneof(text, fc.record({ hash: fc.string() }), fc.jsonValue()),
  semantic_refs: fc.array(ref, { maxLength: 3 }),
  source_refs: fc.array(ref, { maxLength: 3 }),
});
const runBody = fc.record({
  application_key: fc.constant('support-bot'),
  match_on: fc.constantFrom('external_message_id', 'none'),
  window_start: fc.constant('2026-11-20T00:00:00Z'),
  window_end: fc.oneof(fc.constant('2026-11-20T01:00:00Z'), fc.string()),
  references: fc.array(fc.record({ reference_id: fc.string(), occurred_at: fc.string() }), { maxLength: 3 }),
});
const assetBody = fc.record({
  application_key: fc.constant('support-bot'),
  content_base64: fc.oneof(fc.base64String(), fc.string()),
  attributes: ref,
});
const attribute = fc.record({
  key: fc.constantFrom('service.audit.question_text', 'service.audit.answer_text', 'other'),
  value: fc.oneof(fc.record({ stringValue: fc.string() }), fc.jsonValue()),
});
const spans = fc.array(
  fc.record({
    traceId: fc.constantFrom('ab'.repeat(16), ''),
    spanId: fc.constantFrom('cd'.repeat(8), 'none'),
    startTimeUnixNano: fc.oneof(fc.bigInt({ min: 0n, max: 2n ** 64n }).map(String), fc.string()),
    attributes: fc.array(attribute, { maxLength: 3 }),
  }),
  { maxLength: 3 },
);
const otlpBody = spans.map((some) => ({
  resourceSpans: [
    {
      resource: { attributes: [{ key: 'service.name', value: { stringValue: 'support-bot' } }] },
      scopeSpans: [{ spans: some }],
    },
  ],
}));
/** Texts that are JSON of some body, or nearly, or none. */
const body = fc
  .tuple(fc.oneof(createBody, runBody, assetBody, otlpBody, fc.jsonValue()), fc.nat(), fc.nat(9))
  .map(([value, at, kind]) => {
    const whole = JSON.stringify(value);
    return kind === 0 ? whole.slice(0, at % (whole.length + 1)) : whole;
  });

describe('a text that is split in a thread', () => {
  it.each(['text/plain', 'text/markdown', 'text/html', 'application/pdf'])(
    'has the same segments: %s',
    async (type) => {
      const sent = '# One\n\n<p>two</p>\n\n```\nthree\n\n```\n'.repeat(200);
      expect(await readers.split('workspace', sent, type)).toEqual(splitText(sent, type, createHtmlReader()));
    },
  );
});

describe('a body that is read in a thread', () => {
  it('may be that of any route which takes large ones, as the stage reads it', async () => {
    const stages = [createTrustStage({} as TrustDeps), createWorkspaceStage({} as WorkspaceStageDeps)];
    const large = stages
      .flatMap((stage) => stage.routes)
      .filter(({ bodyBytesMax = 0, bodyFormat }) => bodyBytesMax > UNCOUNTED_BYTES && bodyFormat !== 'bytes');
    expect(large.map(({ operationId }) => operationId)).toEqual(expect.arrayContaining(['putTrustPolicy']));
    const sent = JSON.stringify({ unknown: 'x'.repeat(UNCOUNTED_BYTES) });
    for (const route of large) {
      const [here, there] = await readBothWays(route, sent, BODY);
      expect([route.operationId, there]).toEqual([route.operationId, here]);
    }
  });

  it('comes to the same as one that is read at once, value or refusal with every pointer', async () => {
    expect(routes.length).toBeGreaterThan(5);
    await fc.assert(
      fc.asyncProperty(fc.constantFrom(...routes), body, async (route, sent) => {
        const [here, there] = await readBothWays(route, sent, BODY);
        expect(there).toEqual(here);
      }),
      { numRuns: 300 },
    );
  });

  it('comes to the same as metadata of a form', async () => {
    const forms = routes.filter(({ form }) => form !== undefined);
    await fc.assert(
      fc.asyncProperty(fc.constantFrom(...forms), fc.oneof(assetBody, fc.jsonValue()), async (route, sent) => {
        const [here, there] = await readBothWays(route, JSON.stringify(sent), { ...BODY, name: 'metadata' });
        expect(there).toEqual(here);
      }),
      { numRuns: 50 },
    );
  });

  it('comes to the same in protobuf, and as bytes that are nothing', async () => {
    const otlp = routes.filter(({ bodyFormat }) => bodyFormat === 'bytes');
    await fc.assert(
      fc.asyncProperty(fc.constantFrom(...otlp), fc.uint8Array(), async (route, sent) => {
        const part = { name: 'body', contentType: 'application/x-protobuf', ...GIVEN } as const;
        const [here, there] = await readBothWays(route, sent, part);
        expect(there).toEqual(here);
      }),
      { numRuns: 50 },
    );
  });

  it('is bytes until a handler opens it that does so late, and then objects of its own each time', async () => {
    const sent = new TextEncoder().encode(JSON.stringify({ resourceSpans: [] }));
    const part = { ...BODY, operationId: 'ingestOtlpTraces' };
    const read = await readers.read(TASK, sent, part);
    if (!(read instanceof LateBody)) throw new Error('it was opened');
    expect(read.isPacked).toBe(true);
    expect(read.open()).toEqual(read.open());
    expect(read.open()).not.toBe(read.open());
  });

  it('tells how long that took', async () => {
    const route = routes.find(({ operationId }) => operationId === 'createAnswerRecord');
    if (route === undefined) throw new Error('there is no create');
    const took: number[] = [];
    const part = { ...BODY, operationId: route.operationId };
    await outcomeOf(() => readers.read({ ...TASK, onWork: (ms) => void took.push(ms) }, manyNumbers(), part));
    expect(took).toHaveLength(1);
    expect(took[0]).toBeGreaterThan(0);
  });

  it("is given up, paid for, and in nobody's way, when it takes too long", async () => {
    const hurried = openBodyReaders(config, 1);
    const part = { ...BODY, operationId: 'createAnswerRecord' };
    const took: number[] = [];
    const read = hurried.read({ ...TASK, onWork: (ms) => void took.push(ms) }, manyNumbers(), part);
    await expect(read).rejects.toMatchObject({ code: 'overloaded', remedy: 'retry' });
    expect(took[0]).toBeGreaterThan(0);
    await hurried.close();
  });

  it('is not begun for a caller who has left', async () => {
    const part = { ...BODY, operationId: 'createAnswerRecord' };
    const over = AbortSignal.abort();
    await expect(readers.read({ ...TASK, over }, manyNumbers(), part)).rejects.toThrow(CallerLeftError);
  });

  it('is refused for now when nothing can read it', async () => {
    const closed = openBodyReaders(config);
    await closed.close();
    const part = { ...BODY, operationId: 'unknown' };
    const read = closed.read(TASK, new Uint8Array(2), part);
    await expect(read).rejects.toMatchObject({ code: 'overloaded', remedy: 'retry' });
  });
});
