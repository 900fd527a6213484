import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { join } from 'node:path'
import process from 'node:process'
import { text } from 'node:stream/consumers'
import { expect } from 'chai'
import { openStore } from '../../../src/engine/store/open-store.js'
import { systemRandom } from '../../../src/platform/random.js'
import { counted } from '../../support/counters.js'
import { onDatabases, type Place } from '../../support/databases.js'

/** The program compiled beside this file. */
const program = join(import.meta.dirname, '..', '..', 'support', 'raise-counter.js')

describe('several processes on one database', () => {
  onDatabases('locks', (open) => {
    const total = async (place: Place) => {
      const store = await openStore({ ...place, environment: 'test', random: systemRandom })
      try {
        return await counted(store, 'counter')
      } finally {
        await store.close()
      }
    }

    it('create the database once, with one key file', async () => {
      const place = await open.place()
      const keys = await Promise.all(Array.from({ length: 4 }, () => raise(place, 1, 1)))
      expect(new Set(keys).size).to.equal(1)
      expect(await total(place)).to.equal(4)
    })

    it('write at the same time and lose no row', async () => {
      const place = await open.place()
      await Promise.all([raise(place, 200, 1), raise(place, 400, 20), raise(place, 400, 20)])
      expect(await total(place)).to.equal(1000)
    })
  })
})

/** Increments the counter in a separate process; returns the id of the key found there. */
async function raise({ home, databaseUrl = '' }: Place, times: number, atOnce: number): Promise<string> {
  const args = [program, home, databaseUrl, String(times), String(atOnce)]
  const child = spawn(process.execPath, args, { stdio: ['ignore', 'pipe', 'pipe'] })
  const [said, complained, [code]] = await Promise.all([
    text(child.stdout),
    text(child.stderr),
    once(child, 'close'),
  ])
  if (code !== 0) throw new Error(`The process failed: ${complained}`)
  return said
}
