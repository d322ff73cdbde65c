import { globSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { readRequest } from '@answer-evidence/otlp';
import { type AnswerItem, decideItems, type OtlpBatch, reduceItems } from '@answer-evidence/otlp-mapping';
import { readPack, type RecordedRequest } from './read-pack.ts';

const FOLDER = join(import.meta.dirname, 'recordings');

/** So much of a hash is compared. */
const HASH_LENGTH = 15;

/** What is expected of a recording: the records that it leaves, as far as they are compared. */
type ExpectedRecord = {
  readonly question: string | null;
  readonly answer: string | null;
  /** `name <address> score` of each source; one without a name shows how its hash begins. */
  readonly sources?: readonly string[];
  /** Tools that a model asked for or that ran. */
  readonly tools?: readonly string[];
};

/** An instrumentation, the records of its scenarios, and what a reader of the documentation should know of it. */
export type Framework = {
  readonly title: string;
  readonly notes?: readonly string[];
  readonly scenarios: Readonly<Record<string, readonly ExpectedRecord[]>>;
};

/** What the recordings leave, by the name of the program. */
export function readExpected(): Readonly<Record<string, Framework>> {
  return JSON.parse(readFileSync(join(import.meta.dirname, 'expected.json'), 'utf8')) as Record<string, Framework>;
}

/** The names of all recordings, as `<program>/<scenario>`. */
export function listRecordings(): readonly string[] {
  const programs = globSync('*.otlp', { cwd: FOLDER }).map((file) => file.replace('.otlp', ''));
  const names = programs.flatMap((program) =>
    [...readPack(fileOf(program)).keys()].map((scenario) => `${program}/${scenario}`),
  );
  return names.sort();
}

/** The requests of a recording as they were sent, in their order. Throws if there is no such recording. */
function readBodies(name: string): readonly RecordedRequest[] {
  const [program = '', scenario = ''] = name.split('/');
  const requests = readPack(fileOf(program)).get(scenario);
  if (requests === undefined) throw new Error(`there is no recording ${name}`);
  return requests;
}

/** The requests of a recording, in their order. */
export function readRequests(name: string): readonly OtlpBatch[] {
  return readBodies(name).map(({ body, encoding, signal }) =>
    readRequest(body, encoding === 'json' ? 'json' : 'protobuf', signal),
  );
}

function fileOf(program: string): string {
  return join(FOLDER, `${program}.otlp`);
}

/** The items that requests leave, which are decided about as a whole. Throws if one of them is refused. */
export function mapRequests(requests: readonly OtlpBatch[]): readonly AnswerItem[] {
  const { items, rejected } = decideItems(requests.flatMap((request) => reduceItems(request.items)));
  if (rejected.length > 0) throw new Error(`refused: ${rejected.map(({ reason }) => reason).join(', ')}`);
  return items;
}

/** What of an item is compared. */
export function summarize({ question, answer, sourceRefs, semanticRefs }: AnswerItem): ExpectedRecord {
  const sources = sourceRefs.map(({ source_name: name, source_uri: uri, source_hash: hash, score }) => {
    const parts = [
      name ?? (typeof hash === 'string' ? hash.slice(0, HASH_LENGTH) : undefined),
      typeof uri === 'string' ? `<${uri}>` : undefined,
      score,
    ];
    return parts.filter((part) => typeof part === 'string' || typeof part === 'number').join(' ');
  });
  const tools = semanticRefs.flatMap(({ ref_type: type, step, name }) => {
    return type === 'tool_call' && typeof name === 'string' && typeof step === 'string' ? [`${name} ${step}`] : [];
  });
  return {
    question: question?.text ?? null,
    answer: answer?.text ?? null,
    ...(sources.length === 0 ? {} : { sources }),
    ...(tools.length === 0 ? {} : { tools: tools.sort() }),
  };
}
