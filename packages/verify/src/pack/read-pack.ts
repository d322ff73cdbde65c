import { member } from './members.ts';

/** What a pack states of itself, and the texts of its parts as they are in the file. */
export type Pack = {
  readonly madeAt: string;
  readonly origin: string;
  readonly trust: string;
  /** In the order of the manifest. A bundle without a text is named there, and is not in the file. */
  readonly bundles: readonly { readonly name: string; readonly text: string | undefined }[];
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
    return { name, text: findText(page, name) };
  });
  return { madeAt, origin, trust: textOf(page, 'trust'), bundles };
}

function textOf(page: Document, id: string): string {
  const text = findText(page, id);
  if (text === undefined) throw new Error(`the page has no part "${id}"`);
  return text;
}

function findText(page: Document, id: string): string | undefined {
  const found = page.getElementById(id);
  return found instanceof HTMLScriptElement && found.type === 'application/json' ? found.text : undefined;
}
