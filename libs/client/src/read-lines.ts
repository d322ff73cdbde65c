const LINE_FEED = 0x0a;

/** The lines of a stream, each without its end. What follows the last line feed is no line: it may be a part of one. */
export async function* readLines(pieces: AsyncIterable<Uint8Array>): AsyncGenerator<Uint8Array> {
  let rest = new Uint8Array();
  for await (const piece of pieces) {
    const joined = new Uint8Array(rest.length + piece.length);
    joined.set(rest);
    joined.set(piece, rest.length);
    let from = 0;
    for (let end = joined.indexOf(LINE_FEED); end >= 0; end = joined.indexOf(LINE_FEED, from)) {
      yield joined.subarray(from, end);
      from = end + 1;
    }
    rest = joined.subarray(from);
  }
}
