import type { Actor, EventType, JsonObject, NotificationType, TargetReason } from '@answer-evidence/contracts';
import type { DeliveryRow, NotificationRow, TargetRow, TargetStateRow } from '@answer-evidence/tables';
import type { FoundPage } from './leaf-page.ts';

/** A target with how it does, and how many deliveries wait for it (counted to 10,000). */
export type StoredTarget = {
  readonly row: TargetRow;
  readonly state: TargetStateRow;
  readonly pending: number;
};

/** The targets that are not removed, oldest first, and the version of all of them together. */
export type StoredTargets = { readonly version: number; readonly targets: readonly StoredTarget[] };

/** An entry of the log that notifications may be about. */
export type NotedEntry = {
  readonly leafIndex: number;
  readonly type: string;
  readonly id: string;
  readonly at: number;
  /** Of an entry about the workspace, its core. */
  readonly core: JsonObject | undefined;
  /** Of an event of a record. */
  readonly event:
    | {
        readonly recordId: string;
        readonly type: EventType;
        readonly applicationKey: string;
        readonly actor: Actor;
      }
    | undefined;
  /** Of a reading of texts: how many its reader made within the hour before, this one among them. */
  readonly readings: number | undefined;
};

/** What is to be told. `once`: unless the same was told of the subject within this time before. */
export type NewNotification = {
  readonly type: NotificationType;
  readonly subject: string;
  readonly happenedAt: number;
  readonly content: JsonObject;
  readonly onceWithinMicros?: number;
  /** It was read from the log, and is for targets that were there when the entry was appended. */
  readonly isOfEntry?: true;
  /** Of a change of a target: not to be told to this one. */
  readonly except?: string;
};

/** What needs somebody now. `key` tells it from every other thing. */
export type CurrentCondition = { readonly key: string; readonly item: JsonObject };

/** What began or ended since the last look. */
export type ConditionChange = { readonly kind: 'began' | 'ended'; readonly item: JsonObject };

/** A delivery that is due, with what it tells. */
export type DueDelivery = { readonly delivery: DeliveryRow; readonly notification: NotificationRow };

/** A target that one process delivers to: since when nothing arrived there, and how often it failed since. */
export type TargetLease = { readonly row: TargetRow; readonly health: TargetHealth };

/** How a target did lately: failures in a row, and since when (µs). */
export type TargetHealth = { readonly failures: number; readonly failingSince: number | null };

/** How an attempt went. */
export type DeliveryOutcome =
  | { readonly kind: 'delivered'; readonly status: number }
  /** What is stored cannot be sent. That says nothing of the target, and others must not wait for it. */
  | { readonly kind: 'unsendable'; readonly error: string }
  | {
      readonly kind: 'failed';
      readonly status: number | null;
      readonly error: string;
      /** When the delivery is tried again; undefined: not by itself. */
      readonly dueAt: number | undefined;
      /** Nothing goes to the target before this time; 0 where the fault may be this delivery's alone. */
      readonly pausedUntil: number;
      readonly disabledFor: TargetReason | undefined;
    };

/**
 * Targets of notifications, and what is on its way to them. Every method is one transaction, and may be called by
 * several processes at once. Throws `ledger_unavailable`.
 */
export interface NotificationStore {
  /** Changes of targets are the log's (`createTargetCommand`). */
  targets(workspaceId: string): Promise<StoredTargets>;
  findTarget(workspaceId: string, targetId: string): Promise<StoredTarget | undefined>;

  /**
   * Reads the next entries of the log, tells each target what `toNotifications` makes of them, and asks for the jobs
   * that deliver it: all or nothing. Returns whether there are more. False as well while another process does it.
   */
  follow(workspaceId: string, toNotifications: (entry: NotedEntry) => readonly NewNotification[]): Promise<boolean>;
  /** Compares what needs somebody with the last look, and tells what `toNotification` makes of the difference. */
  noteConditions(
    workspaceId: string,
    current: readonly CurrentCondition[],
    toNotification: (change: ConditionChange) => NewNotification | undefined,
  ): Promise<void>;
  /** Tells every target that wants it. */
  tellAll(workspaceId: string, told: NewNotification): Promise<void>;
  /** Tells one target, whatever types it gets; the delivery. Undefined if there is no such target. */
  tell(workspaceId: string, targetId: string, told: NewNotification): Promise<DueDelivery | undefined>;
  /** Makes a delivery due again, with all attempts; undefined if there is none. */
  replay(workspaceId: string, targetId: string, notificationId: string): Promise<DueDelivery | undefined>;
  /** Newest first. */
  deliveries(
    workspaceId: string,
    targetId: string,
    page: {
      readonly state: DeliveryRow['state'] | undefined;
      readonly before: number | undefined;
      readonly offset: number;
      readonly limit: number;
    },
  ): Promise<FoundPage<DueDelivery>>;

  /**
   * Takes the target for this process until `until`. Undefined if it is disabled or removed, and if another process has
   * it or it is paused: then a job is asked for that comes back when it no longer is.
   */
  lease(workspaceId: string, targetId: string, until: number): Promise<TargetLease | undefined>;
  /** Goes on with a target that is leased; undefined if it was disabled or removed since. */
  renew(workspaceId: string, targetId: string, until: number): Promise<TargetHealth | undefined>;
  /** The first delivery that is due and of whose subject none waits before it. */
  nextDue(workspaceId: string, targetId: string): Promise<DueDelivery | undefined>;
  /** Everything that is due, in order, up to so many: what one digest says. */
  allDue(workspaceId: string, targetId: string, limit: number): Promise<readonly DueDelivery[]>;
  /** Notes all deliveries of a digest, which were sent as one. */
  noteSent(
    workspaceId: string,
    deliveries: readonly DeliveryRow[],
    outcome: Extract<DeliveryOutcome, { readonly kind: 'delivered' }>,
  ): Promise<void>;
  /** Disables a target without an attempt, and tells the others (`toNotification`). */
  disable(
    workspaceId: string,
    targetId: string,
    reason: TargetReason,
    toNotification: () => NewNotification,
  ): Promise<void>;
  /**
   * How many targets of mail were added since a time (µs), removed ones among them: so many codes were sent. Of the own
   * notifications of a member, or of the workspace (null).
   */
  mailTargetsSince(workspaceId: string, memberId: string | null, since: number): Promise<number>;
  /** Notes an attempt. A target that is disabled by it is told to the others (`toNotification`). */
  noteAttempt(
    workspaceId: string,
    delivery: DeliveryRow,
    outcome: DeliveryOutcome,
    toNotification: () => NewNotification,
  ): Promise<void>;
  /** Lets the target go at a time (µs), and asks for the job that goes on with the next delivery from then on. */
  release(workspaceId: string, targetId: string, at: number): Promise<void>;
  /** Forgets what is on its way to a removed target. */
  clear(workspaceId: string, targetId: string): Promise<void>;
  /** Forgets up to so many deliveries that are done and before `doneBefore`, or wait since before `pendingBefore`. */
  forget(workspaceId: string, doneBefore: number, pendingBefore: number, limit: number): Promise<void>;
}
