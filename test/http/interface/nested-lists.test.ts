import { expect } from 'chai'
import { sql } from 'kysely'
import { type App, openApp } from '../../../src/app.js'
import { using } from '../../../src/engine/store/database/raw-use.js'
import type { Json } from '../../../src/schema/json.js'
import { payctl } from '../../cli/commands/payctl.js'
import { idOf, listOf, objectOf, valuesOf } from '../../support/core.js'
import { onDatabases, type Place } from '../../support/databases.js'

/** Lengths of nested lists: more than an answer about one object shows, and more than each object in a list shows. */
const MANY = 10_003
const SOME = 1_002
/** Number of objects with incomplete nested lists: more than an answer contains links for. */
const OWNERS = 25

onDatabases((open) => {
  describe('interface line 1: nested lists', () => {
    let place: Place
    let app: App
    let rich: string

    before(async () => {
      place = await open.place()
      app = openApp({ ...place })
      const { write } = (await app.environment('test')).core
      rich = idOf(await made('Rich'))
      for (let index = 0; index < OWNERS; index++) await made('Owner')
      await write(async ({ tx, now }) => {
        for (const [name, count] of [
          ['Rich', MANY],
          ['Owner', SOME],
        ] as const)
          await using(
            { reads: [], schema: true },
            sql`insert into payment_methods (id, account_id, type, created_at, modified_at)
            with recursive numbers(n) as (select 1 union all select n + 1 from numbers where n < ${sql.lit(count)})
            select 'pm_' || substr(a.id, 11) || (10000 + n), a.id, 'card', ${now}, ${now}
            from accounts as a cross join numbers where a.name = ${name}`,
          ).execute(tx.any)
      })
      await app.close()
    })

    async function made(name: string) {
      const { core } = await app.environment('test')
      const { owner } = await import('../../../src/engine/core/request/principal.js')
      const body = { name }
      return (await core.handle({ method: 'POST', path: '/customers', query: [], principal: owner, body }))
        .body
    }

    const run = async (...words: string[]) => {
      const { stdout, stderr, exitCode } = await payctl(place, [...words, '--json'])
      expect({ stderr, exitCode }).to.deep.equal({ stderr: '', exitCode: 0 })
      return objectOf(JSON.parse(stdout))
    }
    const ids = (methods: Json | undefined) => listOf(methods).map((method) => idOf(objectOf(method)))

    it('are shown completely by a command that shows one object', async () => {
      const { payment_methods: shown } = await run(
        'customers',
        'get',
        rich,
        '--fields',
        'payment_methods[id]',
      )
      expect([ids(shown).length, new Set(ids(shown)).size]).to.deep.equal([MANY, MANY])
    })

    it('are shown completely by a list, even of more objects than an answer has links for', async () => {
      const fields = ['--fields', 'id,payment_methods[id]', '--where', 'name=Owner']
      for (const all of [['--all'], ['--limit', '30'], []]) {
        const owners = valuesOf(await run('customers', 'list', ...fields, ...all))
        expect(owners.map(({ payment_methods: methods }) => ids(methods).length)).to.deep.equal(
          Array.from({ length: OWNERS }, () => SOME),
        )
        expect(new Set(owners.flatMap(({ payment_methods: methods }) => ids(methods))).size).to.equal(
          OWNERS * SOME,
        )
      }
    })

    it('are named in a warning if an incomplete list cannot be assigned to its object', async () => {
      const words = ['customers', 'list', '--where', 'name=Owner', '--limit', '2', '--json']
      const { stderr } = await payctl(place, [...words, '--fields', 'payment_methods[type]'])
      expect(stderr).to.equal('Not shown whole: payment_methods; show id as well, or one object alone\n')
    })
  })
})
