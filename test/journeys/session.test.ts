import { readFile, writeFile } from 'node:fs/promises'
import process from 'node:process'
import { expect } from 'chai'
import { onSqlite } from '../support/databases.js'
import { hasTerminal, Terminal } from '../support/terminal.js'
import { pictureOf } from './session-svg.js'

const PICTURE = new URL('../../docs/session.svg', import.meta.url)
const COLUMNS = 80

/**
 * Steps of the session: a text to type, with keys in brackets, and the output to wait for. Steps marked `kept`
 * are screens of the picture.
 */
const STEPS: readonly (readonly [typed: string, seen: string | RegExp, kept?: 'kept'])[] = [
  ['payctl transactions pay --fields id,status,amount,fee', /amount,fee$/, 'kept'],
  ['[Enter]', /\? amount:$/],
  ['29.99[Enter]', /❯ a card[\s\S]*select$/, 'kept'],
  ['[Enter]', /\? card number:$/],
  ['4242 4242', /Visa \*{9}$/, 'kept'],
  [' 4242 4242', /Visa, valid \*{19}$/, 'kept'],
  ['[Enter]', /\? expiry, MM\/YY:$/],
  ['12/39[Enter]', /\? CVV \(Enter for none\):$/],
  ['123[Enter]', /\? name on the card \(Enter for none\):$/],
  ['Ada Lovelace[Enter]', /\? postal code \(Enter for none\):$/],
  ['11238[Enter]', /\? what for \(Enter for none\):$/],
  ['Coffee beans[Enter]', /\? Take this payment\? \(y\/N, c to change an answer\)$/, 'kept'],
  ['y[Enter]', /\n\$$/, 'kept'],
  ['clear[Enter]', /^\$$/],
  ['payctl transactions refund --fields id,type,amount[Enter]', /Coffee beans[\s\S]*select$/, 'kept'],
  ['[Enter]', /\? amount \(29\.99 left\): \(29\.99\)$/, 'kept'],
  ['10[Enter]', /\? why \(Enter for none\):$/],
  ['one bag less[Enter]', /\? Refund this\? \(y\/N, c to change an answer\)$/, 'kept'],
  ['y[Enter]', /\n\$$/, 'kept'],
]

onSqlite((open) => {
  if (!hasTerminal()) return
  describe('the session of the README', () => {
    let terminal: Terminal | undefined
    after(() => terminal?.close())

    it('shows what its commands print (PAYCTL_UPDATE_SESSION=1 draws it anew)', async () => {
      const place = await open.place()
      terminal = await Terminal.open(place, { columns: COLUMNS, rows: 24 })
      const screens: string[] = []
      for (const [typed, seen, kept] of STEPS) {
        await terminal.play(typed)
        await terminal.sees(seen)
        if (kept) screens.push(sameEachTime(await terminal.screen(true)))
      }
      const picture = pictureOf(screens, COLUMNS)
      if (process.env['PAYCTL_UPDATE_SESSION']) await writeFile(PICTURE, picture)
      expect(picture).to.equal(await readFile(PICTURE, 'utf8'))
    })
  })
})

/** Replaces ids and days with fixed ones, so that the picture does not change in each run. */
function sameEachTime(screen: string): string {
  return screen
    .replaceAll(/\b(?<prefix>[a-z]+_)[0-9A-Za-z]{22}\b/g, '$<prefix>0VbZZ9tE00075zBcklyIaT')
    .replaceAll(/\b\d{4}-\d\d-\d\d\b/g, '2026-11-21')
}
