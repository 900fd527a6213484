import { mkdtemp } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import process from 'node:process'
import { RAILS, realTime, wireServers } from './contract/wire-servers.js'

/** The servers of rails' wire formats, to be tried by hand: `npm run long -- rail stripe`, until Ctrl-C. */
const kind = RAILS.find((each) => each === process.argv[2])
if (kind) {
  const home = () => mkdtemp(join(tmpdir(), 'payctl-rail-'))
  const { configuration } = await wireServers[kind](realTime, async () => ({ home: await home() }))
  const { base_url: address, merchant, credentials } = configuration
  process.stdout.write(`${JSON.stringify({ address, ...(merchant && { merchant }), ...credentials })}\n`)
} else {
  process.stderr.write(`npm run long -- rail ${RAILS.join('|')}\n`)
  process.exitCode = 1
}
