/** Maximum number of units of work that a job runs at once. */
const AT_ONCE = 16

/** Error that ends a run between two units of work, without a failure. */
export class EndedEarly extends Error {}

/**
 * Runs `step` with every item and returns the outcomes in the order of the items.
 *
 * Several steps run at once, so that units of work share commits and a slow gateway delays only its own
 * step. The first step runs alone; each success allows one more in parallel, so that a failing gateway
 * receives few requests. After a failure no other step begins. Its error is thrown when the running steps
 * have ended; it takes precedence over `EndedEarly`.
 */
export async function severalAtOnce<Item, Outcome>(
  items: readonly Item[],
  step: (item: Item) => Promise<Outcome>,
): Promise<Outcome[]> {
  const outcomes: Outcome[] = []
  const failures: unknown[] = []
  const rest = items.entries()
  const runRest = async () => {
    for (const [index, item] of rest) {
      if (failures.length > 0) return
      try {
        outcomes[index] = await step(item)
      } catch (error) {
        failures.push(error)
        return
      }
      if (runs.length < AT_ONCE) runs.push(runRest())
    }
  }
  const runs = [runRest()]
  // Runs that are added during the loop are awaited, too.
  for (const run of runs) await run
  if (failures.length > 0) throw failures.find((failure) => !(failure instanceof EndedEarly)) ?? failures[0]
  return outcomes
}
