/** A text without the slashes at its end, in linear time: `/\/+$/` takes the square of a run of slashes. */
export function trimSlashes(text: string): string {
  let end = text.length;
  while (end > 0 && text[end - 1] === '/') end -= 1;
  return text.slice(0, end);
}
