import { expect } from 'chai'
import { openApp } from '../../../../src/app.js'
import type { Work } from '../../../../src/engine/core/write/work.js'
import { lastSealed } from '../../../../src/engine/store/books/seal-log.js'
import { SealedControl } from '../../../../src/engine/store/books/sealed-control.js'
import { OutdatedRead, type Tx } from '../../../../src/engine/store/database/store.js'
import { openStore } from '../../../../src/engine/store/open-store.js'
import { systemRandom } from '../../../../src/platform/random.js'
import { resources } from '../../../../src/resources/resource-table.js'
import { idOf, openCore, type TestCore } from '../../../support/core.js'
import { onDatabases, onPostgres } from '../../../support/databases.js'
import { asOutsider, booksSealed } from '../../../support/outsider.js'
import { rejection } from '../../../support/rejection.js'
import { putBack, stolenRows } from '../../../support/stolen-rows.js'

/** Number of connections of a process to an environment on PostgreSQL, except those for lists. */
const CONNECTIONS = 10

describe('rows checked against their newest seal', () => {
  onDatabases('seals', (open) => {
    let core: TestCore
    let id: string
    const problem = async (present = true) =>
      await core.environment.core.write(async (work) => {
        return present ? await problemOf(work, id) : await work.sealProblem('orgs', id, undefined)
      })
    beforeEach(async () => {
      core = await openCore(open)
      id = idOf(await core.ok('POST', '/orgs', { name: 'Ledgerly', industry: 'books', org_type: 'business' }))
    })

    it('pass when created, changed or deleted, also within the same unit of work', async () => {
      expect(await problem()).to.equal(undefined)
      await core.environment.core.write(async (work) => {
        const changed = await work.change(resources.org, id, { name: 'Renamed' })
        expect(await work.sealProblem('orgs', id, changed)).to.equal(undefined)
      })
      expect(await problem()).to.equal(undefined)
      await core.ok('DELETE', `/orgs/${id}`)
      expect(await problem(false)).to.equal(undefined)
      expect(
        await core.environment.core.read((work) => work.sealProblem('orgs', 'acct_nobody', undefined)),
      ).to.equal(undefined)
    })

    it('fail if they were changed, restored or deleted outside of payctl', async () => {
      const [old] = await stolenRows(core.place, 'orgs', `id = '${id}'`)
      await core.ok('PUT', `/orgs/${id}`, { name: 'Renamed' })
      const [now] = await stolenRows(core.place, 'orgs', `id = '${id}'`)
      if (!old || !now) throw new Error('No row')
      await putBack(core.place, 'orgs', [old])
      expect(await problem()).to.contain('is not what was sealed last')
      await putBack(core.place, 'orgs', [{ ...now, parent_org_id: 'acct_thief' }])
      expect(await problem()).to.contain('is not what was sealed last')
      await asOutsider(core.place, `delete from orgs where id = '${id}'`)
      expect(await problem(false)).to.contain('was sealed and is gone')
      await putBack(core.place, 'orgs', [now])
      expect(await problem()).to.equal(undefined)
    })

    it('pass if another process changed and sealed them', async () => {
      expect(await problem()).to.equal(undefined)
      const other = openApp({ ...core.place })
      try {
        const [old] = await stolenRows(core.place, 'orgs', `id = '${id}'`)
        const { core: second } = await other.environment('test')
        await second.write((work) => work.change(resources.org, id, { name: 'Renamed' }))
        expect(await problem()).to.equal(undefined)
        await booksSealed(core.place)
        expect(await problem()).to.equal(undefined)
        if (old) await putBack(core.place, 'orgs', [old])
        expect(await problem()).to.contain('is not what was sealed last')
      } finally {
        await other.close()
      }
    })

    const TAMPERINGS: Readonly<Record<string, string>> = {
      'hides the last change': 'update seal_log set control = 0 where id = (select max(id) from seal_log)',
      'lacks a change':
        'delete from seal_log where id = (select min(control) from seal_log where control > 0)',
      'skips a change':
        'update seal_log set control_before = control_before + 1 where id = (select max(control) from seal_log)',
    }
    for (const [name, statement] of Object.entries(TAMPERINGS))
      it(`are not cached for a log that ${name}`, async () => {
        await core.ok('PUT', `/orgs/${id}`, { name: 'Renamed' })
        await booksSealed(core.place)
        await asOutsider(core.place, statement)
        const other = openApp({ ...core.place })
        try {
          const { core: second } = await other.environment('test')
          const failure = await rejection(second.read((work) => work.sealProblem('orgs', id, undefined)))
          expect(failure).to.include({ problem: 'books_differ' })
        } finally {
          await other.close()
        }
      })
  })
})

describe('rows read on all connections at once', () => {
  onPostgres((open) => {
    it('are checked correctly by reads that began before a change', async () => {
      const core = await openCore(open)
      const org = { name: 'Ledgerly', industry: 'books', org_type: 'business' }
      const id = idOf(await core.ok('POST', '/orgs', org))
      const began = Promise.withResolvers<void>()
      const changed = Promise.withResolvers<void>()
      let waiting = 0
      const readAll = Array.from({ length: CONNECTIONS - 1 }, () =>
        core.environment.core.read(async (work) => {
          await work.find(resources.org, id)
          waiting++
          if (waiting === CONNECTIONS - 1) began.resolve()
          await changed.promise
          return await problemOf(work, id)
        }),
      )
      await began.promise
      await core.ok('PUT', `/orgs/${id}`, { name: 'Renamed' })
      await booksSealed(core.place)
      const seen = await core.environment.core.read((work) => problemOf(work, id))
      expect(seen).to.equal(undefined)

      const last = { began: Promise.withResolvers<void>(), ended: Promise.withResolvers<void>() }
      const reading = core.environment.core.read(async (work) => {
        await work.find(resources.org, id)
        last.began.resolve()
        await last.ended.promise
      })
      await last.began.promise
      changed.resolve()
      expect(new Set(await Promise.all(readAll))).to.deep.equal(new Set([undefined]))
      last.ended.resolve()
      await reading
    })

    it('are not said to differ if the log grows while its end is read', async () => {
      const core = await openCore(open)
      const org = { name: 'Ledgerly', industry: 'books', org_type: 'business' }
      const id = idOf(await core.ok('POST', '/orgs', org))
      await booksSealed(core.place)
      const store = await openStore({ ...core.place, environment: 'test', random: systemRandom })
      try {
        const { seals } = store
        if (!(seals instanceof SealedControl)) throw new Error('The store does not check its rows')
        const problem = async (tx: Tx) => await seals.problem(tx, { table: 'orgs', id, row: undefined })
        const failure = await store.read(async (tx) => {
          const before = await lastSealed(tx)
          await core.ok('PUT', `/orgs/${id}`, { name: 'Renamed' })
          await booksSealed(core.place)
          const from = await store.read(async (later) => {
            await problem(later)
            return await lastSealed(later)
          })
          expect(from.number).to.be.above(before.number)
          seals.readWith({
            async run(query, params) {
              const rows = await store.run(query, params)
              // The process seals a commit that the read has not seen.
              const entries = { names: '', leaves: [], control: false }
              seals.follow({ from, commits: [{ end: { ...from, number: from.number + 1 }, entries }] })
              return rows
            },
          })
          return await rejection(problem(tx))
        })
        expect(failure).to.be.instanceOf(OutdatedRead)
      } finally {
        await store.close()
      }
    })

    it('are read again if a process first read the log after they were read', async () => {
      const core = await openCore(open)
      const org = { name: 'Ledgerly', industry: 'books', org_type: 'business' }
      const id = idOf(await core.ok('POST', '/orgs', org))
      await booksSealed(core.place)
      const other = openApp({ ...core.place })
      try {
        const { core: second } = await other.environment('test')
        let reads = 0
        const problem = await second.read(async (work) => {
          const row = await work.find(resources.org, id)
          reads++
          if (reads === 1) {
            await core.ok('PUT', `/orgs/${id}`, { name: 'Renamed' })
            await booksSealed(core.place)
            await second.read((later) => problemOf(later, id))
          }
          return await work.sealProblem('orgs', id, row)
        })
        expect({ reads, problem }).to.deep.equal({ reads: 2, problem: undefined })
      } finally {
        await other.close()
      }
    })
  })
})

async function problemOf(work: Work, id: string) {
  return await work.sealProblem('orgs', id, await work.find(resources.org, id))
}
