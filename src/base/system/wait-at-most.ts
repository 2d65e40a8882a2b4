/** Waits for a promise, at most this long; leaves no timer that keeps andon alive. */
export async function waitAtMost(ms: number, promise: Promise<unknown>): Promise<void> {
  let timer: NodeJS.Timeout | undefined;
  const over = new Promise((resolve) => {
    timer = setTimeout(resolve, ms);
  });
  try {
    await Promise.race([promise, over]);
  } finally {
    clearTimeout(timer);
  }
}
