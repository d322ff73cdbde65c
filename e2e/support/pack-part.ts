/** A part of a pack as its page holds it: JSON in an element with this id. */
export function formatPackPart(id: string, json: string): string {
  return `<script type="application/json" id="${id}">${json.replaceAll('<', String.raw`\u003c`)}</script>`;
}
