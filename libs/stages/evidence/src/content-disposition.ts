/** `Content-Disposition: attachment` with the name (RFC 6266), in UTF-8 (RFC 8187) and its ASCII for the rest. */
export function formatAttachment(name: string): string {
  const ascii = name.replace(/[^A-Za-z0-9 ._()-]/g, '_').trim();
  const encoded = encodeURIComponent(name).replace(
    /['()*!]/g,
    (character) => `%${character.charCodeAt(0).toString(16).toUpperCase()}`,
  );
  return `attachment; filename="${ascii}"; filename*=UTF-8''${encoded}`;
}
