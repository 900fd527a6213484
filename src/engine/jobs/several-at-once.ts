/** How many units of work a job has under way at once. */
const AT_ONCE = 16

/**
 * Runs `step` with every item, several at once, and answers the outcomes in the order of the items: units of work then
 * share commits, and a slow gateway is waited for once, not by each in turn. After a failure no other step begins; its error is
 * thrown when those under way have ended.
 */
export async function severalAtOnce<Item, Outcome>(
  items: readonly Item[],
  step: (item: Item) => Promise<Outcome>,
): Promise<Outcome[]> {
  const outcomes: Outcome[] = []
  const rest = items.entries()
  let hasFailed = false
  const runRest = async () => {
    for (const [index, item] of rest) {
      if (hasFailed) return
      try {
        outcomes[index] = await step(item)
      } catch (error) {
        hasFailed = true
        throw error
      }
    }
  }
  const ended = await Promise.allSettled(Array.from({ length: Math.min(AT_ONCE, items.length) }, runRest))
  for (const end of ended) if (end.status === 'rejected') throw end.reason
  return outcomes
}
