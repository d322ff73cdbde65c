/** What is used of the parser: its tokens alone, and never the HTML that it can make of them. */
declare module 'markdown-it' {
  export type Token = {
    readonly type: string;
    readonly tag: string;
    readonly nesting: -1 | 0 | 1;
    readonly content: string;
    readonly children: readonly Token[] | null;
    readonly hidden: boolean;
    attrGet(name: string): string | null;
  };
  export default class MarkdownIt {
    constructor(options: { readonly html: false; readonly linkify: false });
    /** Links of any scheme are made tokens; nothing here follows one. */
    validateLink: (url: string) => boolean;
    parse(text: string, environment: object): readonly Token[];
  }
}
