import process from 'node:process'
import { type Package, start } from '../terminal/start.js'
import { COMMANDS } from './index.js'
import { TOPICS } from './topics.js'

export { PayctlHelp } from '../terminal/help/payctl-help.js'
export { COMMANDS }

/** Runs the command that `argv` names. */
export async function main(
  { root, pjson }: Package,
  argv: readonly string[] = process.argv.slice(2),
): Promise<void> {
  await start({ root, pjson: { ...pjson, oclif: { ...pjson.oclif, topics: TOPICS } } }, COMMANDS, argv)
}
