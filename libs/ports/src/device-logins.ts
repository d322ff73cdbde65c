/** A sign-in that a device asked for, as the person is shown it. Times in microseconds. */
export type DeviceLoginRow = {
  /** The one whose members may approve it; null: there is none of the name that the device gave. */
  readonly workspaceId: string | null;
  /** The name of the workspace that it was begun for, also where there is none; left out by a release before. */
  readonly slug?: string;
  readonly clientName: string;
  readonly address: string;
  /** Of the token that it is for; null: one that the service makes. */
  readonly tokenName: string | null;
  readonly tokenLifeSeconds: number;
  readonly requestedAt: number;
  readonly expiresAt: number;
};

/** What a person said, and by which token and after which password they said it. */
export type DeviceDecision =
  | {
      readonly kind: 'approved';
      readonly memberId: string;
      readonly credentialEntryId: string;
      readonly tokenId: string;
    }
  | { readonly kind: 'denied' };

/** What a device is told when it asks. `isTooSoon`: before its interval was over; it is longer from then on. */
type PolledDeviceLogin = {
  readonly login: DeviceLoginRow;
  readonly decision: DeviceDecision | undefined;
  readonly isTooSoon: boolean;
  readonly intervalSeconds: number;
};

/** Most sign-ins that wait at once: of one address, and for one workspace or for none that there is. */
type DeviceLoginsMax = { readonly address: number; readonly workspace: number };

/**
 * Sign-ins of devices, of all processes of the installation together. They survive restarts. Neither code can be read
 * from what is stored, and a row that somebody wrote who lacks the secrets of the installation is none. What has
 * expired is none, and is forgotten as others come.
 */
export interface DeviceLoginStore {
  /**
   * Durable when it resolves. `taken`: another one waits under this user code. Nobody is refused because others wait:
   * of an address that has more than it may, the oldest go; of a workspace (or of no workspace) that has more than it
   * may, the oldest of the addresses with the most. One that a person has approved stays.
   */
  add(
    deviceSecret: Uint8Array,
    userCode: string,
    login: DeviceLoginRow,
    max: DeviceLoginsMax,
  ): Promise<'added' | 'taken'>;
  /** Notes that a device has asked. Undefined when there is none. */
  poll(deviceSecret: Uint8Array, nowMicros: number): Promise<PolledDeviceLogin | undefined>;
  /** Takes an approved one away, once: false for everyone but the first. Durable when it resolves. */
  redeem(deviceSecret: Uint8Array): Promise<boolean>;
  /** One that waits for a member of this workspace. */
  findPending(workspaceId: string, userCode: string, nowMicros: number): Promise<DeviceLoginRow | undefined>;
  /** Decides one that waits, once: false where there is none any more. Durable when it resolves. */
  decide(workspaceId: string, userCode: string, decision: DeviceDecision, nowMicros: number): Promise<boolean>;
}
