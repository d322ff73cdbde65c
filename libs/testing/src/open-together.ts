/** Has something closed later, before whatever was kept before it. */
export type Keep = (close: () => Promise<unknown>) => void;

/** Opens several things as one. They are closed last opened first, also when one of them does not open. */
export async function openTogether<T extends object>(
  open: (keep: Keep) => Promise<T>,
): Promise<T & { readonly close: () => Promise<void> }> {
  const kept: Parameters<Keep>[0][] = [];
  const close = async (): Promise<void> => {
    for (let closeOne = kept.pop(); closeOne !== undefined; closeOne = kept.pop()) await closeOne();
  };
  try {
    return Object.assign(await open((closeOne) => void kept.push(closeOne)), { close });
  } catch (error) {
    await close();
    throw error;
  }
}
