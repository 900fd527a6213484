import { getEventListeners } from 'node:events'
import { expect } from 'chai'
import { Deliverer } from '../../../src/domain/webhooks/deliverer.js'
import { openVault } from '../../../src/engine/store/vault/vault.js'
import { systemTimers, type Timers } from '../../../src/platform/clock.js'
import { openOutgoing } from '../../../src/platform/network/outgoing.js'
import { systemRandom } from '../../../src/platform/random.js'
import { countOf, openCore, type TestCore } from '../../support/core.js'
import { onDatabases } from '../../support/databases.js'
import { makeProcessing } from '../../support/examples.js'
import { asOutsider } from '../../support/outsider.js'
import { agree, type Behaviour, openReceiver, type Receiver } from '../../support/receiver.js'
import { rejection } from '../../support/rejection.js'
import { handTimers } from '../../support/timers.js'

const SECOND = 1_000
/** Longer than any answer in a test, however busy the machine is. */
const TIMEOUT = 3_600 * SECOND
const LEASE = 2.5 * TIMEOUT
/** More events than are claimed at once for a receiver with one delivery at a time. */
const MANY = 60
/** Number of answers after which more events are claimed for a receiver. */
const REFILL = 16
const MAX_RUNS = 10_000

describe('a deliverer', () => {
  onDatabases((open) => {
    let core: TestCore
    let shop: string
    let receiver: Receiver
    let behave: Behaviour = agree
    const time = { now: Date.now() }
    const never = new AbortController().signal

    before(async () => {
      core = await openCore(open, { clock: { now: () => time.now } })
      shop = await makeProcessing(core)
      receiver = await openReceiver((received, response) => behave(received, response))
      open.atEnd(() => receiver.close())
      await core.ok('POST', '/webhooks', { trigger: 'payment_link:status', url: receiver.address })
    })

    beforeEach(() => {
      receiver.received.splice(0)
    })

    const happen = async (count = 1) => {
      time.now += SECOND
      const link = { amount: 1, description: 'A book', processing_id: shop }
      const links = Array.from({ length: count }, () => link)
      await core.ok('POST', '/payment_links', links)
    }
    const delivererOf = async (timers: Timers) => {
      const { read, write } = core.environment.core
      const http = openOutgoing({ reach: { loopback: true } })
      open.atEnd(() => http.close())
      return new Deliverer({
        runner: { read, write },
        http,
        timers,
        timeout: TIMEOUT,
        clock: { now: () => time.now },
        random: systemRandom,
        vault: openVault(core.place.home, systemRandom).forEnvironment('test'),
        concurrency: { total: 1, each: 1 },
      })
    }
    /**
     * Attempts of repeated runs. PostgreSQL assigns an event only after all earlier transactions have ended,
     * including those of its own maintenance.
     */
    const attemptsUntil = async (deliverer: Deliverer, count: number, signal: AbortSignal) => {
      let attempts = 0
      for (let run = 0; run < MAX_RUNS && attempts < count; run++) attempts += await deliverer.run(signal)
      return attempts
    }
    /** Breaks the database before the nth request is answered. */
    const breakBefore = (nth: number, statements: readonly string[], then: Behaviour) => {
      behave = (received, response) => {
        if (receiver.received.length < nth) {
          response.end()
        } else {
          behave = then
          void asOutsider(core.place, ...statements).then(() => then(received, response))
        }
      }
    }

    it('leaves no timer behind after rounds without a wait', async () => {
      const timers = handTimers()
      const deliverer = await delivererOf(timers)
      await happen(MANY)
      expect(await attemptsUntil(deliverer, MANY, never)).to.equal(MANY)
      expect(timers.waiting).to.deep.equal([])
    })

    it('continues in the next run if the database failed while deliveries were claimed or recorded', async () => {
      // Answers are recorded when the next round begins, not after a delay.
      const deliverer = await delivererOf(handTimers())
      await happen(MANY)
      const before = await countOf(core, '/webhook_logs')
      breakBefore(REFILL, ['alter table deliveries rename to lost'], agree)
      expect((await rejection(deliverer.run(never))).message).to.include('deliveries')
      await asOutsider(core.place, 'alter table lost rename to deliveries')
      const recorded = (await countOf(core, '/webhook_logs')) - before
      time.now += LEASE
      const left = MANY - recorded
      expect(await attemptsUntil(deliverer, left, never)).to.equal(left)
    })

    it('reports the first failure, and stops listening, if it cannot release its claims either', async () => {
      const deliverer = await delivererOf(systemTimers)
      await happen()
      const stopping = new AbortController()
      const broken = [
        'alter table deliveries rename column lease to lost',
        'alter table webhooks rename to lost',
      ]
      breakBefore(1, broken, () => {
        // Deliveries in progress are due again, so the next round reads their webhook.
        time.now += LEASE
      })
      expect((await rejection(deliverer.run(stopping.signal))).message).to.include('webhooks')
      expect(getEventListeners(stopping.signal, 'abort')).to.deep.equal([])
      await asOutsider(
        core.place,
        'alter table lost rename to webhooks',
        'alter table deliveries rename column lost to lease',
      )
      behave = agree
      expect(await attemptsUntil(deliverer, 1, stopping.signal)).to.equal(1)
    })
  })
})
