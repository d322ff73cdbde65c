import replies from './recorded-replies.json' with { type: 'json' };

/** Replies to the examples, recorded by `npm run api:examples`. Ids, times and bytes are stand-ins. */
export const RECORDED_REPLIES: Readonly<Record<string, unknown>> = replies;
