import { readFile } from 'node:fs/promises';
import { fileURLToPath } from 'node:url';
import { describe, expect, it } from '@jest/globals';

const ROOT = fileURLToPath(new URL('../../', import.meta.url));
const lint = await readFile(`${ROOT}.oxlintrc.json`, 'utf8');
const page = await readFile(`${ROOT}docs/architecture.md`, 'utf8');

describe('the diagram of layers in docs/architecture.md', () => {
  it('shows what the lint rule allows, path by path, with the exceptions that the page names', () => {
    const rule = readRule();
    const drawn = readDiagram();
    expect([...drawn.keys()].toSorted()).toEqual([...rule.keys()].filter((layer) => layer !== 'testing').toSorted());
    const shown = new Map([...drawn.keys()].map((layer) => [layer, reach(drawn, layer)]));
    shown.get('runtime')?.delete('preparation');
    shown.set('server', new Set(['runtime']));
    const of = (allowed: ReadonlyMap<string, ReadonlySet<string>>): Record<string, readonly string[]> =>
      Object.fromEntries([...drawn.keys()].map((layer) => [layer, [...(allowed.get(layer) ?? [])].toSorted()]));
    expect(of(shown)).toEqual(of(rule));
  });
});

/** What each layer may import besides itself, as the lint rule has it. */
function readRule(): ReadonlyMap<string, ReadonlySet<string>> {
  const rows = lint.matchAll(/"sourceTag": "([\w-]+)",\s*"onlyDependOnLibsWithTags": \[([^\]]*)\]/g);
  return new Map(
    [...rows].map(([, layer = '', tags = '']) => {
      const allowed = [...tags.matchAll(/"([\w-]+)"/g)].map(([, tag = '']) => tag);
      return [layer, new Set(allowed.filter((tag) => tag !== layer))];
    }),
  );
}

/** The arrows of the diagram that draws the layers, by the layer that they begin at. */
function readDiagram(): ReadonlyMap<string, readonly string[]> {
  const lines = (/```mermaid\nflowchart BT\n([^]*?)```/.exec(page)?.[1] ?? '').trim().split('\n');
  const arrows = lines.map((line) => /^ *([\w-]+)(?:\[.*?\])?(?: --> ([\w-]+))?$/.exec(line) ?? []);
  const layers = new Map<string, string[]>();
  for (const [, from, to] of arrows) {
    if (from === undefined) continue;
    const targets = layers.get(from) ?? [];
    layers.set(from, to === undefined ? targets : [...targets, to]);
  }
  return layers;
}

function reach(drawn: ReadonlyMap<string, readonly string[]>, from: string): Set<string> {
  return new Set((drawn.get(from) ?? []).flatMap((to) => [to, ...reach(drawn, to)]));
}
