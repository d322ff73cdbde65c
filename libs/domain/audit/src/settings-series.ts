/** Which version of the settings was in force at which leaf. */
export class SettingsSeries {
  readonly #leaves: number[] = [];
  readonly #versions: number[] = [];

  /** The version in force after the last leaf; 0 before the first. */
  get last(): number {
    return this.#versions.at(-1) ?? 0;
  }

  /** Leaves come in ascending order. */
  add(leafIndex: number, version: number): void {
    this.#leaves.push(leafIndex);
    this.#versions.push(version);
  }

  /** The version that the object of a leaf obeys: that of the last change before it. */
  versionAt(leafIndex: number): number {
    let low = 0;
    let high = this.#leaves.length;
    while (low < high) {
      const middle = Math.floor((low + high) / 2);
      if ((this.#leaves[middle] ?? 0) < leafIndex) low = middle + 1;
      else high = middle;
    }
    return this.#versions[low - 1] ?? 0;
  }
}
