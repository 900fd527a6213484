import { readFile, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import process from 'node:process'
import { expect } from 'chai'
import type { WireServer } from '../gateways/contract/opened-rail.js'
import { RAILS, realTime, wireServers } from '../gateways/contract/wire-servers.js'
import { onSqlite, type Place } from '../support/databases.js'
import { typedPage } from './typed-page.js'

const PAGES = new URL('../../docs/gateways/', import.meta.url)
/** Address of the rail's server as written on the pages. */
const ADDRESS = 'http://127.0.0.1:4343'
const isWritten = process.env['PAYCTL_UPDATE_STORY'] !== undefined

onSqlite((open) => {
  for (const kind of RAILS)
    describe(`the page of the rail ${kind}`, () => {
      let place: Place
      let wire: WireServer
      before(async () => {
        place = await open.migrated()
        wire = await wireServers[kind](realTime, () => open.migrated())
        open.atEnd(() => wire.close())
      })

      it('shows what its commands print (PAYCTL_UPDATE_STORY=1 renews it)', async () => {
        const file = new URL(`${kind}.md`, PAGES)
        const page = await readFile(file, 'utf8')
        const words = await wordsOf(place, wire)
        const variables = { PAYCTL_GATEWAY_LOOPBACK: '1' }
        const atRail = async (line: string) => {
          expect(line).to.equal('settle')
          await wire.settle()
        }
        let anew = page
        const typed: string[] = []
        for await (const block of typedPage({ page, place, words, variables, atRail })) {
          const { command, exitCode, before, now } = block
          typed.push(command)
          expect(exitCode, now).to.equal(0)
          anew = anew.replace(before, () => now)
          if (!isWritten) expect(lasting(now), command).to.equal(lasting(before))
        }
        expect(typed.length).to.be.greaterThan(6)
        expect(typed.join('\n')).to.include('gateways add').and.include('settlements')
        if (isWritten) await writeFile(file, anew)
      })
    })
})

/** Secrets, addresses and accounts of the page, with their replacements in this run. */
async function wordsOf(place: Place, { configuration }: WireServer): Promise<ReadonlyMap<string, string>> {
  const { base_url: address, merchant, credentials } = configuration
  const words = new Map([[ADDRESS, address]])
  if (merchant !== undefined) words.set('acct_of_the_peer', merchant)
  for (const [name, value] of Object.entries(credentials)) {
    const file = join(place.home, `${name}.txt`)
    await writeFile(file, `${value}\n`)
    words.set(`${name.replaceAll('_', '-')}.txt`, file)
  }
  return words
}

/** Replaces what differs in each run: ids, times, days, and the resulting column widths. */
function lasting(text: string): string {
  return text
    .replaceAll(/\b[a-z]+_[0-9A-Za-z]{22}\b/g, 'id')
    .replaceAll(/\d{4}-\d\d-\d\d( \d\d:\d\d:\d\d)?/g, 'time')
    .replaceAll(/https?:\/\/127\.0\.0\.1:\d+/g, 'address')
    .replaceAll(/ +/g, ' ')
    .replaceAll(/ $/gm, '')
}
