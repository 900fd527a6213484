import { expect } from 'chai'
import { openStore } from '../../../../src/engine/store/open-store.js'
import { systemRandom } from '../../../../src/platform/random.js'
import { openCore } from '../../../support/core.js'
import { insert } from '../../../support/counters.js'
import { onDatabases, onPostgres, type Place } from '../../../support/databases.js'
import { makeProcessing, pay } from '../../../support/examples.js'
import { asOutsider, booksSealed } from '../../../support/outsider.js'
import { handTimers } from '../../../support/timers.js'

/** Milliseconds from a commit until it is signed. */
const SIGNING = 60_000
/** Longer than the delay before sealing, and before another attempt after a failure. */
const SEALING = 1_000

const REFUSE_SEALING = 'alter table seal_log add constraint refuses check (id < 0) not valid'

describe('a failure of the sealed books after a commit', () => {
  onDatabases('seals', (open) => {
    it('is reported if the books cannot be signed, and no payment fails', async () => {
      const { core, timers, reported } = await opened(open)
      const shop = await makeProcessing(core)
      timers.pass(SEALING)
      await booksSealed(core.place)
      // The first commit is signed at once; the next commit waits.
      await pay(core, shop, 1)
      timers.pass(SEALING)
      await booksSealed(core.place)
      await until(() => timers.waiting.some((left) => left > SEALING))
      await asOutsider(core.place, ...refuseCheckpoints(core.place))
      timers.pass(SIGNING)
      await until(() => reported.length > 0)
      expect(reported).to.have.length(1)
      expect(reported[0]).to.have.property('message', 'The books of test could not be signed')
      expect(reported[0])
        .to.have.nested.property('cause.message')
        .that.matches(/refuses/)
      await pay(core, shop, 2)
    })
  })

  onPostgres((open) => {
    it('is reported once while commits cannot be sealed, and again after a success', async () => {
      const { core, timers, reported } = await opened(open)
      const shop = await makeProcessing(core)
      const failures = async (payment: number) => {
        await asOutsider(core.place, REFUSE_SEALING)
        await pay(core, shop, payment)
        for (let attempt = 1; attempt <= 3; attempt++) {
          timers.pass(SEALING)
          // The next attempt is scheduled after this attempt has failed.
          await until(() => timers.waiting.includes(SEALING))
        }
        await asOutsider(core.place, 'alter table seal_log drop constraint refuses')
        timers.pass(SEALING)
        await booksSealed(core.place)
        return reported.splice(0)
      }
      for (const payment of [1, 2]) {
        const found = await failures(payment)
        expect(found).to.have.length(1)
        expect(found[0]).to.have.property('message', 'What was committed in test could not be sealed')
        expect(found[0])
          .to.have.nested.property('cause.message')
          .that.matches(/refuses/)
        // The head file is written after sealing.
        await until(() => timers.waiting.length > 0)
        timers.pass(SEALING)
      }
    })

    it('is not retried after the store is closed', async () => {
      const place = await open.migrated()
      const timers = handTimers()
      const reportBooks = () => undefined
      const store = await openStore({
        ...place,
        environment: 'test',
        random: systemRandom,
        timers,
        reportBooks,
      })
      await store.write((tx) => insert(tx, 'a'))
      await asOutsider(place, REFUSE_SEALING)
      // Sealing begins, and fails while the store closes.
      timers.pass(SEALING)
      await store.close()
      expect(timers.waiting).to.deep.equal([])
    })

    it('is reported if the remaining commits cannot be sealed when the store closes', async () => {
      const place = await open.migrated()
      const reported: unknown[] = []
      const store = await openStore({
        ...place,
        environment: 'test',
        random: systemRandom,
        timers: handTimers(),
        reportBooks: (error) => reported.push(error),
      })
      await store.write((tx) => insert(tx, 'a'))
      await asOutsider(place, REFUSE_SEALING)
      await store.close()
      expect(reported).to.have.length(1)
      expect(reported[0])
        .to.have.nested.property('cause.message')
        .that.matches(/refuses/)
    })
  })
})

async function opened(open: Parameters<typeof openCore>[0]) {
  const timers = handTimers()
  const reported: unknown[] = []
  const core = await openCore(open, { timers, report: (error) => reported.push(error) })
  return { core, timers, reported }
}

function refuseCheckpoints({ dialect }: Place): string[] {
  return dialect === 'postgres'
    ? ['alter table checkpoints add constraint refuses check (id < 0) not valid']
    : ["create trigger refuses before insert on checkpoints begin select raise(abort, 'refuses'); end"]
}

async function until(isSo: () => boolean): Promise<void> {
  while (!isSo()) await new Promise((resolve) => setImmediate(resolve))
}
