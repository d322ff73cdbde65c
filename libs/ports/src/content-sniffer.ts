/** How many bytes of a content's beginning a sniffer wants, if there are as many. */
export const SNIFFED_BYTES_MAX = 16_384;

/** Tells by the first bytes of a content what it is, whatever somebody says that it is. */
export interface ContentSniffer {
  /** A media type without parameters; undefined when the bytes do not tell, as with texts. Never throws. */
  sniff(head: Uint8Array): Promise<string | undefined>;
}
