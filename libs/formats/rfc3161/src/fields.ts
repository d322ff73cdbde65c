import { type DerNode, malformed, TAG } from './der.ts';

/** The fields of a SEQUENCE, taken in their order; whatever is not taken is refused by `end`. */
export type Fields = {
  /** The next field, which must have one of the tags. */
  take(...tags: readonly number[]): DerNode;
  /** The next field when it has the tag, else nothing is taken. */
  optional(tag: number): DerNode | undefined;
  end(): void;
};

/** Starts to read a SEQUENCE; `what` names it in errors. Throws `TimestampError`. */
export function createFields(node: DerNode, what: string): Fields {
  assertTag(node, TAG.sequence, what);
  let at = 0;
  return {
    take(...tags) {
      const field = node.children[at];
      if (field === undefined || !tags.includes(field.tag)) throw malformed(what);
      at += 1;
      return field;
    },
    optional(tag) {
      const field = node.children[at];
      if (field?.tag !== tag) return undefined;
      at += 1;
      return field;
    },
    end() {
      if (at !== node.children.length) throw malformed(what);
    },
  };
}

/** Throws `TimestampError` unless the element has the tag. */
export function assertTag(node: DerNode | undefined, tag: number, what: string): asserts node is DerNode {
  if (node?.tag !== tag) throw malformed(what);
}

/** The single element inside, such as that of an explicit tag. Throws `TimestampError`. */
export function onlyChild(node: DerNode, what: string): DerNode {
  const [child, ...others] = node.children;
  if (child === undefined || others.length > 0) throw malformed(what);
  return child;
}

/** A small INTEGER that is not negative, in its shortest form. Throws `TimestampError`. */
export function readSmallInteger(node: DerNode, what: string): number {
  const { content } = node;
  const isShortest = content.length === 1 || content[0] !== 0 || (content[1] ?? 0) >= 0x80;
  if (content.length < 1 || content.length > 4 || !isShortest || (content[0] ?? 0) >= 0x80) throw malformed(what);
  return content.reduce((value, byte) => value * 256 + byte, 0);
}

/** The small INTEGER inside an explicit tag. Throws `TimestampError`. */
export function readExplicitInteger(node: DerNode, what: string): number {
  const child = onlyChild(node, what);
  assertTag(child, TAG.integer, what);
  return readSmallInteger(child, what);
}

/** A BOOLEAN in its DER form. Throws `TimestampError`. */
export function readBoolean(node: DerNode, what: string): boolean {
  const [value] = node.content;
  if (node.content.length !== 1 || (value !== 0 && value !== 0xff)) throw malformed(what);
  return value === 0xff;
}

/** A BIT STRING of whole octets, as keys and signatures are. Throws `TimestampError`. */
export function readOctetsOfBitString(node: DerNode, what: string): Uint8Array {
  if (node.content.length < 1 || node.content[0] !== 0) throw malformed(what);
  return node.content.subarray(1);
}

/** The dotted form of an OBJECT IDENTIFIER. Throws `TimestampError`. */
export function readOid(node: DerNode, what: string): string {
  if (node.oid === undefined) throw malformed(what);
  return node.oid;
}
