import { expect } from 'chai'
import { openCore, type TestCore } from '../../../support/core.js'
import { onDatabases } from '../../../support/databases.js'
import { eachCase } from '../../../support/each-case.js'
import { furnish } from './furnish.js'
import { Objects } from './objects.js'
import { doing, pathWith } from './rows.js'
import { makeWorld } from './world.js'

/** Compares with `fields=*`, which shows the same attributes, but is read in several statements. */
onDatabases('sql', (open) => {
  describe('an object read by one SQL statement', () => {
    let core: TestCore
    let objects: Objects
    before(async () => {
      core = await openCore(open)
      await furnish(core, await makeWorld(core))
      objects = new Objects(core)
    })

    it('has the same bytes as an object read step by step', async () => {
      const rows = doing.filter(({ method, path }) => method === 'GET' && path.endsWith('{id}'))
      await eachCase(
        rows,
        ({ path }) => path,
        async (row) => {
          for (const ids of await objects.idsIn(row)) {
            const path = pathWith(row.path, ...ids)
            const atOnce = await core.send('GET', path)
            const byStep = await core.send('GET', path, undefined, { query: 'fields=*' })
            expect(atOnce).to.include({ status: byStep.status, text: byStep.text })
          }
        },
      )
    })

    it('shows that a nested object is deleted', async () => {
      const path = '/transactions/{id}'
      for (const [id = ''] of await objects.idsIn(found(path))) {
        const { payment_method_id: method } = await core.ok('GET', pathWith(path, id))
        if (method === null) continue
        await core.send('DELETE', `/payment_methods/${String(method)}`)
        const { text } = await core.send('GET', pathWith(path, id))
        expect(text).to.include('"deleted":true')
        const byStep = await core.send('GET', pathWith(path, id), undefined, { query: 'fields=*' })
        expect(text).to.equal(byStep.text)
      }
    })
  })
})

function found(path: string) {
  const row = doing.find((each) => each.method === 'GET' && each.path === path)
  if (!row) throw new Error(`Nothing is done at ${path}`)
  return row
}
