/** A leaf from which on a version of the settings is in force. */
export type SettingsChange = { readonly leafIndex: number; readonly version: number };

/** Which version of the settings was in force at which leaf. */
export class SettingsSeries {
  readonly #changes: SettingsChange[];

  constructor(changes: readonly SettingsChange[] = []) {
    this.#changes = [...changes];
  }

  get changes(): readonly SettingsChange[] {
    return this.#changes;
  }

  /** The version in force after the last leaf; 0 before the first. */
  get last(): number {
    return this.#changes.at(-1)?.version ?? 0;
  }

  /** Leaves come in ascending order. */
  add(leafIndex: number, version: number): void {
    this.#changes.push({ leafIndex, version });
  }

  /** The version that the object of a leaf obeys: that of the last change before it. */
  versionAt(leafIndex: number): number {
    let low = 0;
    let high = this.#changes.length;
    while (low < high) {
      const middle = Math.floor((low + high) / 2);
      if ((this.#changes[middle]?.leafIndex ?? 0) < leafIndex) low = middle + 1;
      else high = middle;
    }
    return this.#changes[low - 1]?.version ?? 0;
  }
}
