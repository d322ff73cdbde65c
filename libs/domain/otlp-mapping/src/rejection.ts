/** Why one item is refused: a sentence that follows "the item was refused because". It names attributes and limits, never a value. */
export class Rejection extends Error {
  override readonly name = 'Rejection';
}
