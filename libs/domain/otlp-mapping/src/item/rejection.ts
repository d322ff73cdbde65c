/** Why one item is refused: completes "the item was refused because". Names attributes and limits, never a value. */
export class Rejection extends Error {
  override readonly name = 'Rejection';
}
