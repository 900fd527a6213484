import process from 'node:process'
import { type Package, start } from '../terminal/start/start.js'
import { COMMANDS } from './command-table.js'
import { resolvedAliases } from './config/aliases.js'
import { TOPICS } from './topics.js'

export { MEANINGS } from '../terminal/failure/exit-codes.js'
export { PayctlHelp } from '../terminal/help/payctl-help.js'
export { ROOT_GROUPS } from '../terminal/help/root-groups.js'
export { COMMANDS, TOPICS }

export async function main(
  { root, pjson }: Package,
  argv: readonly string[] = process.argv.slice(2),
): Promise<void> {
  const from = { root, pjson: { ...pjson, oclif: { ...pjson.oclif, topics: TOPICS } } }
  await start(from, COMMANDS, argv, (words) => resolvedAliases(Object.keys(COMMANDS), words))
}
