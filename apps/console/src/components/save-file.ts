/** Hands a file to the reader's browser, which asks or saves as they have set it. */
export function saveFile(name: string, type: string, content: readonly Uint8Array[]): void {
  const url = URL.createObjectURL(
    new Blob(
      content.map((piece) => new Uint8Array(piece)),
      { type },
    ),
  );
  const link = document.createElement('a');
  link.href = url;
  link.download = name;
  link.click();
  URL.revokeObjectURL(url);
}
