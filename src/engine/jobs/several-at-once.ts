/** How many units of work a job has under way at most. */
const AT_ONCE = 16

/** Ends a run before its end, between two units of work: nothing has failed. */
export class EndedEarly extends Error {}

/**
 * Runs `step` with every item, and answers the outcomes in the order of the items. Several are under way at once: units of work then
 * share commits, and a slow gateway is not waited for by each in turn. The first is alone, and each that ends well makes room
 * for one more, so that what fails is not asked by many before that is known. After a failure no other step begins; its error
 * is thrown when those under way have ended. That a run ends early hides no failure.
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
  // More are added meanwhile, and waited for as well.
  for (const run of runs) await run
  if (failures.length > 0) throw failures.find((failure) => !(failure instanceof EndedEarly)) ?? failures[0]
  return outcomes
}
