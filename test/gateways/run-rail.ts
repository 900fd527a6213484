import { mkdtemp } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import process from 'node:process'
import { createInterface } from 'node:readline'
import type { WireServer } from './contract/opened-rail.js'
import { RAILS, realTime, wireServers } from './contract/wire-servers.js'

/** Milliseconds between two searches for operations of which endpoints were not notified yet. */
const BETWEEN = 500

/**
 * `npm run long -- rail stripe`: runs the test server of a rail's wire format for manual tests, until Ctrl-C. The
 * server notifies the endpoints that are created at it. Typing `settle` settles its payments.
 */
const kind = RAILS.find((each) => each === process.argv[2])
if (kind) {
  const home = () => mkdtemp(join(tmpdir(), 'payctl-rail-'))
  const wire = await wireServers[kind](realTime, async () => ({ home: await home() }))
  const { base_url: address, merchant, credentials } = wire.configuration
  process.stdout.write(`${JSON.stringify({ address, ...(merchant && { merchant }), ...credentials })}\n`)
  for (const [name, value] of Object.entries(credentials))
    process.stderr.write(`echo '${value}' > ${name.replaceAll('_', '-')}.txt\n`)
  process.stderr.write('These lines put its secrets into files. It knows: settle\n')
  notifyOfAll(wire)
  for await (const line of createInterface({ input: process.stdin })) {
    if (line.trim() === 'settle') await wire.settle()
    process.stderr.write(line.trim() === 'settle' ? 'What was taken is settled\n' : 'It knows: settle\n')
  }
} else {
  process.stderr.write(`npm run long -- rail ${RAILS.join('|')}\n`)
  process.exitCode = 1
}

/** Notifies all endpoints of each operation, once. */
function notifyOfAll(wire: WireServer): void {
  const told = new Set<string>()
  const look = async () => {
    for (const id of await wire.operations()) {
      if (told.has(id)) continue
      told.add(id)
      await wire.notify(id)
    }
    setTimeout(() => void look(), BETWEEN)
  }
  void look()
}
