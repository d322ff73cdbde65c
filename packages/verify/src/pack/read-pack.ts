import { member } from './members.ts';

/** What a pack states of itself, and the texts of its parts as they are in the file. */
export type Pack = {
  readonly madeAt: string;
  readonly origin: string;
  readonly trust: string;
  readonly bundles: readonly { readonly name: string; readonly text: string }[];
};

const FORMAT = 'answer-evidence-pack/v1';

/** Reads the parts of a pack from its page. Throws with the reason where the page is not a pack of this version. */
export function readPack(page: Document): Pack {
  const manifest: unknown = JSON.parse(textOf(page, 'pack'));
  const [format, madeAt, origin] = [
    member(manifest, 'format'),
    member(manifest, 'made_at'),
    member(manifest, 'origin'),
  ];
  const names = member(manifest, 'bundles');
  if (format !== FORMAT) throw new Error(`the part "pack" does not name the format ${FORMAT}`);
  if (typeof madeAt !== 'string' || typeof origin !== 'string' || !Array.isArray(names))
    throw new Error('the part "pack" must have made_at, origin and bundles');
  const bundles = names.map((name: unknown) => {
    if (typeof name !== 'string' || !/^bundle-[1-9]\d{0,3}$/.test(name))
      throw new Error('the part "pack" names a bundle that is not called bundle-1, bundle-2 and so on');
    return { name, text: textOf(page, name) };
  });
  return { madeAt, origin, trust: textOf(page, 'trust'), bundles };
}

function textOf(page: Document, id: string): string {
  const found = page.getElementById(id);
  if (!(found instanceof HTMLScriptElement) || found.type !== 'application/json')
    throw new Error(`the page has no part "${id}"`);
  return found.text;
}
