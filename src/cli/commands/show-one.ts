import { registry } from '../terminal/declared-registry.js'
import { asksForHelp, type Package, start } from '../terminal/start.js'
import { getCommand } from './derived/get-command.js'
import { topicOf } from './derived/topic.js'

/**
 * Runs `<topic> get ID`, the program of a bundle of its own (`scripts/bundle.mjs`). Returns false, without effects,
 * for any other command and for help.
 */
export async function showOne(from: Package, argv: readonly string[]): Promise<boolean> {
  const [topic = '', verb] = argv
  const resource = registry.all.find((one) => !one.admin && topicOf(one) === topic)
  if (verb !== 'get' || !resource || asksForHelp(argv)) return false
  await start(from, { [`${topic}:get`]: getCommand(resource, topic) }, argv)
  return true
}
