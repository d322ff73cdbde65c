import { readFile, writeFile } from 'node:fs/promises';
import { fileURLToPath } from 'node:url';
import { layOut } from '../format/lay-out.ts';
import { openTestService } from '../scenery/test-service.ts';
import { type Change, isNode, type JsonNode } from './changes.ts';
import { compareDocuments } from './compare-documents.ts';
import { compareStoredShapes, createStoredShapes } from './stored-shapes.ts';

/** What callers and files rely on: the description of the interface, and the shapes that are stored for years. */
export type Published = { readonly openapi: JsonNode; readonly shapes: JsonNode };

const FILES = { openapi: 'openapi.json', shapes: 'shapes.json' } as const;

/** What was accepted as published. */
export async function readPublished(): Promise<Published> {
  const read = async (name: string): Promise<JsonNode> => {
    const value: unknown = JSON.parse(await readFile(pathOf(name), 'utf8'));
    if (!isNode(value)) throw new Error(`${name} is no JSON object`);
    return value;
  };
  return { openapi: await read(FILES.openapi), shapes: await read(FILES.shapes) };
}

/** What a service that runs every stage publishes now. */
export async function readCurrent(): Promise<Published> {
  const service = await openTestService();
  try {
    const reply = await service.call('GET', '/api/openapi.json', { token: null });
    const openapi: unknown = reply.body;
    if (!isNode(openapi)) throw new Error('the description is no JSON object');
    return { openapi: withoutTexts(openapi), shapes: withoutTexts(createStoredShapes()) };
  } finally {
    await service.close();
  }
}

/** Writes what is published from now on. */
export async function writePublished(published: Published): Promise<void> {
  for (const [key, name] of Object.entries(FILES)) {
    const path = pathOf(name);
    const text = JSON.stringify(published[key as keyof Published]);
    await writeFile(path, await layOut(path, text));
  }
}

/** Every difference between two states of what is published. */
export function comparePublished(before: Published, after: Published): readonly Change[] {
  return [...compareDocuments(before.openapi, after.openapi), ...compareStoredShapes(before.shapes, after.shapes)];
}

/** Sentences for people, and where a service happens to be, promise nothing. Names of members are left alone. */
function withoutTexts(node: JsonNode, isMap = false): JsonNode {
  const dropped = ['description', 'summary', 'examples', 'example', 'servers', 'info'];
  return Object.fromEntries(
    Object.entries(node)
      .filter(([key]) => isMap || !dropped.includes(key))
      .map(([key, value]) => [key, withoutTextsIn(value, !isMap && ['properties', 'paths', 'schemas'].includes(key))]),
  );
}

function withoutTextsIn(value: unknown, isMap: boolean): unknown {
  if (Array.isArray(value)) return value.map((item: unknown) => withoutTextsIn(item, false));
  return isNode(value) ? withoutTexts(value, isMap) : value;
}

function pathOf(name: string): string {
  return fileURLToPath(new URL(`./published/${name}`, import.meta.url));
}
