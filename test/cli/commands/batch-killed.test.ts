import { setTimeout as pause } from 'node:timers/promises'
import { expect } from 'chai'
import { openApp } from '../../../src/app.js'
import { owner } from '../../../src/engine/core/request/principal.js'
import { type Folder, openFolder, paymentsCsv } from '../../support/batch-file.js'
import { type Chance, seededChance } from '../../support/chance.js'
import { onDatabases, type Place } from '../../support/databases.js'
import { processingAccount } from '../../support/examples.js'
import { killBatch } from '../../support/killed-batch.js'
import { startServer } from '../../support/server-process.js'
import { type Outcome, payctl } from './payctl.js'

const KILLS = 3

onDatabases((open) => {
  describe('a killed batch', () => {
    let place: Place
    let folder: Folder
    let count: number
    let chance: Chance
    before(() => {
      folder = openFolder()
      chance = seededChance(20)
      open.atEnd(async () => folder.remove())
    })
    beforeEach(async () => {
      place = await open.place()
      count = place.dialect === 'sqlite' ? 2_000 : 600
      await post('/processing_accounts', processingAccount())
    })

    /** Sends a request through a core that is closed afterwards. */
    async function post(path: string, body = {}) {
      const app = openApp(place)
      try {
        const { core } = await app.environment('test')
        return (await core.handle({ method: 'POST', path, body, principal: owner })).body
      } finally {
        await app.close()
      }
    }

    /** Expects each payment once, and exactly those in the results. */
    async function expectEachOnce(name: string) {
      const paid = await payments()
      expect(paid.size).to.equal(count)
      const [header, ...lines] = folder.read(`${name}.results.csv`).trimEnd().split('\n')
      expect(header).to.equal('row,status,id,error')
      expect(lines).to.have.length(count)
      for (const [index, line] of lines.entries())
        expect(line).to.equal(`${index + 2},done,${paid.get(String(index + 1))},`)
    }

    /** The id of each payment by its order number; fails if a payment was taken twice. */
    async function payments(): Promise<ReadonlyMap<string, string>> {
      const app = openApp(place)
      try {
        const { core } = await app.environment('test')
        const rows = await core.read(({ tx }) =>
          tx.db
            .selectFrom('transactions')
            .select(['id', 'order_number', 'amount', 'status'])
            .where('type', '=', 'payment')
            .where('order_number', 'is not', null)
            .orderBy('id')
            .execute(),
        )
        const paid = new Map<string, string>()
        for (const { id, order_number: order, amount, status } of rows) {
          expect([amount, status, paid.get(order ?? '')]).to.deep.equal([
            Number(order),
            'processed',
            undefined,
          ])
          paid.set(order ?? '', id)
        }
        return paid
      } finally {
        await app.close()
      }
    }

    it('pays each row exactly once when resumed, and its results are complete', async () => {
      const file = folder.write('rent.csv', paymentsCsv(count))
      const words = ['batch', 'run', file, '--as', 'payment']
      for (let kill = 0; kill < KILLS; kill++) await killBatch(place, words, chance, 1_500)
      const last = await payctl(place, [...words, '--json'])
      expect({ exitCode: last.exitCode, stderr: last.stderr }).to.deep.equal({ exitCode: 0, stderr: '' })
      expect(JSON.parse(last.stdout)).to.include({ status: 'finished', rows: count, done: count, failed: 0 })
      await expectEachOnce('rent')
      const again = await payctl(place, ['batch', 'resume', 'rent.csv'])
      expect(again.exitCode).to.equal(0)
      await expectEachOnce('rent')
    })

    it('pays each row exactly once, even if the service is killed and restarted during the batch', async () => {
      count /= 2
      const { secret_key: key } = await post('/admin/keys', { manage: true })
      const file = folder.write('remote.csv', paymentsCsv(count))
      let server = await startServer(place)
      open.atEnd(async () => server.kill())
      const variables = { PAYCTL_SERVER: server.address, PAYCTL_KEY: String(key) }
      let ended: Outcome | undefined
      const running = payctl(
        { home: folder.path('home') },
        ['batch', 'run', file, '--as', 'payment', '--json'],
        {
          variables,
        },
      ).then((outcome) => {
        ended = outcome
        return outcome
      })
      // The batch must have begun before the service is killed, because it fails if it cannot reach the service
      // at its start.
      while (!ended && (await payments()).size === 0) await pause(50)
      for (let kill = 0; kill < KILLS && !ended; kill++) {
        await pause(chance.integer(200, 1_200))
        server.kill()
        await server.ended
        server = await startServer(place, [], new URL(server.address).port)
      }
      const { exitCode, stdout, stderr } = await running
      expect(await server.stop()).to.equal(0)
      expect(exitCode, stderr).to.equal(0)
      expect(JSON.parse(stdout)).to.include({ status: 'finished', rows: count, done: count, failed: 0 })
      await expectEachOnce('remote')
    })
  })
})
