/** What one request may bring. A limit on items refuses only the item; the other limits refuse the request. */
export type OtlpLimits = {
  /** Levels of an attribute's value or a body; a text is level 1. */
  readonly depthMax: number;
  /** Attributes of one span, event, log record, resource or scope. */
  readonly attributesMax: number;
  /** Events of one span. */
  readonly eventsMax: number;
  /** UTF-8 bytes of one key or name. A value has no limit of its own: the body has one. */
  readonly textMaxBytes: number;
  /** Spans or log records of the request; resources; scopes. */
  readonly itemsMax: number;
  /** Values in the whole request: attributes, array elements, map members, events. Bounds the memory it can use. */
  readonly valuesMax: number;
};

/**
 * The limits that hold unless the installation sets others. SDKs send 512 items of at most 128 attributes at a time,
 * Collectors 8,192; a conversation is one attribute, and its texts are bounded again where they become a record.
 */
export const OTLP_LIMITS: OtlpLimits = {
  depthMax: 32,
  attributesMax: 1024,
  eventsMax: 1024,
  textMaxBytes: 1024 * 1024,
  itemsMax: 10_000,
  valuesMax: 500_000,
};
