/** Which token, and who logs in. `packageFolder`: where pkcs11js is, if Node does not find it. */
export type TokenPlace = {
  /** The library of the token's vendor, as a path. */
  readonly module: string;
  /** Its label. */
  readonly token: string;
  readonly pin: string;
  readonly packageFolder?: string | undefined;
};

/** What the program of a token is asked for. */
export type Request =
  | { readonly do: 'open'; readonly place: TokenPlace }
  | { readonly do: 'create-key'; readonly label: string }
  | { readonly do: 'public-key'; readonly id: string }
  | { readonly do: 'sign'; readonly id: string; readonly message: Uint8Array }
  | { readonly do: 'wrap'; readonly label: string; readonly purpose: string; readonly secret: Uint8Array }
  | { readonly do: 'unwrap'; readonly label: string; readonly purpose: string; readonly wrapped: Uint8Array };

/** What it gives back for each. */
export type Results = {
  readonly open: undefined;
  readonly 'create-key': { readonly id: string; readonly publicKey: Uint8Array };
  readonly 'public-key': Uint8Array;
  readonly sign: Uint8Array;
  readonly wrap: Uint8Array;
  readonly unwrap: Uint8Array;
};

/** `lost`: what was open is of no use any more, and a new process may succeed. `pin`: it must not be tried again. */
export type FailureKind = 'lost' | 'pin' | 'refused';

/** One response; responses come in the order of the requests. */
export type Reply =
  | { readonly result: Results[keyof Results] }
  | { readonly failure: { readonly kind: FailureKind; readonly text: string } };
