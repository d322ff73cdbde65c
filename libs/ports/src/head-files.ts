/**
 * Small files in one place outside of the database, which all processes of an installation share. A name is
 * `<folder>/<file>`, or a file alone at the top. Several processes may use it at the same moment. Every method rejects
 * when the place does not answer, refuses, or has no space: it never makes that out to be an empty folder.
 */
export interface HeadFiles {
  /** Where they are, as a person finds them. */
  readonly place: string;
  /** The files directly in a folder, without its name, in order; none where there is no such folder. */
  list(folder: string): Promise<readonly string[]>;
  /** The names of all folders at the top, in order. */
  folders(): Promise<readonly string[]>;
  /** Undefined when there is no such file. */
  read(name: string): Promise<Uint8Array | undefined>;
  /**
   * Writes a file whole: durable, and visible to all, when it returns, and never in part. A name is written with one
   * content only, so writing it again changes nothing.
   */
  write(name: string, content: string): Promise<void>;
  /** Durable when it returns. Deleting what is not there is done. */
  delete(name: string): Promise<void>;
}
