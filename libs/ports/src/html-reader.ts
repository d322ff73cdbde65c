/** Reads the text of HTML documents. Synchronous, in time about linear in the length, whatever the document is. */
export interface HtmlReader {
  /**
   * The text of a document, with an empty line between paragraphs, headings, lists and the like, and white space
   * collapsed outside of preformatted text. Scripts and styles are left out; links, images and comments leave nothing
   * but their text. Null when the document nests too deeply to be one that somebody wrote, or is hardly more than tags.
   * Empty when it has no text.
   */
  readText(html: string): string | null;
}
