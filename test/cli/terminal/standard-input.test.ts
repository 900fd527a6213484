import { expect } from 'chai'
import { onSqlite, type Place } from '../../support/databases.js'
import { payctl } from '../commands/payctl.js'

/** Runs a command in a shell, and then a program that prints what is left of standard input. */
const BEFORE_CAT = ['sh', '-c', '"$@"; cat', 'sh']

onSqlite((open) => {
  describe('the standard input of a command', () => {
    let place: Place
    before(async () => {
      place = await open.migrated()
    })

    for (const [what, words] of [
      ['an optional argument', ['webhooks', 'logs', '--json']],
      ['a required argument', ['customers', 'get', '--json']],
    ] as const)
      it(`is left to the next program when ${what} is omitted`, async () => {
        const { stdout } = await payctl(place, words, { input: 'the next row\n', through: BEFORE_CAT })
        expect(stdout).to.match(/the next row\n$/)
      })
  })
})
