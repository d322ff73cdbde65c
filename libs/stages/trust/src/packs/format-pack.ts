import type { JsonObject, TrustFile } from '@answer-evidence/contracts';

/** What goes into an evidence pack; `page` is the page without its parts. */
type PackContent = {
  readonly page: string;
  readonly madeAt: string;
  readonly origin: string;
  readonly trust: TrustFile;
  readonly bundles: readonly JsonObject[];
  /** What the cover says besides: each is its maker's word. */
  readonly cover?: PackCover;
};

/** What the maker of a pack says of it, and the links to the public pages of its records, by their place. */
export type PackCover = {
  readonly operator?: string;
  readonly purpose?: string;
  readonly recipient?: string;
  readonly links?: readonly ({ readonly url: string; readonly expires_at: string } | undefined)[];
};

const PLACE = '<!-- parts -->';

/** The file of an evidence pack (docs/formats/pack.md). It follows from its content alone, byte for byte. */
export function formatPack({ page, madeAt, origin, trust, bundles, cover = {} }: PackContent): string {
  const at = page.indexOf(PLACE);
  if (at < 0) throw new Error(`the page of evidence packs has no place for its parts: ${PLACE}`);
  const named = bundles.map((bundle, n) => [`bundle-${n + 1}`, bundle] as const);
  const { links = [], ...said } = cover;
  const linked = named.flatMap(([name], n) => (links[n] === undefined ? [] : [[name, links[n]] as const]));
  const manifest = {
    format: 'answer-evidence-pack/v1',
    made_at: madeAt,
    origin,
    bundles: named.map(([name]) => name),
    ...said,
    ...(linked.length === 0 ? {} : { links: Object.fromEntries(linked) }),
  };
  const parts = [['pack', manifest] as const, ['trust', trust] as const, ...named];
  const written = parts.map(([id, value]) => formatPart(id, value)).join('\n');
  return page.slice(0, at) + written + page.slice(at + PLACE.length);
}

/** `<` is escaped, as JSON permits, so that no text in a part can end its element or begin a comment. */
function formatPart(id: string, value: unknown): string {
  const text = JSON.stringify(value).replaceAll('<', String.raw`\u003c`);
  return `<script type="application/json" id="${id}">${text}</script>`;
}
