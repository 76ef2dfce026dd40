// Does one piece of work at a time, then the latest request. This loop checks while the user types,
// and runs the model while a slider moves.

/**
 * @template T, R
 * @param {(wish: T) => Promise<R>} work
 * @param {(result: R, wish: T, stale: boolean) => void} done  `stale`: a newer wish came meanwhile
 * @param {(error: any, wish: T, stale: boolean) => void} [failed]
 * @returns {(wish: T) => void}
 */
export function latest(work, done, failed = () => {}) {
  let busy = false;
  /** @type {{wish: T}|null} */
  let next = null;
  const turn = async () => {
    while (next) {
      const { wish } = next;
      next = null;
      try {
        const result = await work(wish);
        done(result, wish, next !== null);
      } catch (error) {
        failed(error, wish, next !== null);
      }
    }
    busy = false;
  };
  return (wish) => {
    next = { wish };
    if (busy) return;
    busy = true;
    turn();
  };
}
