import { expect } from 'chai'
import type { JsonObject } from '../../../src/schema/json.js'
import { idOf, openCore, type TestCore, valuesOf } from '../../support/core.js'
import { onDatabases } from '../../support/databases.js'
import { makeProcessing } from '../../support/examples.js'
import { asOutsider } from '../../support/outsider.js'
import { openReceiver, type Receiver } from '../../support/receiver.js'

const DAY = 86_400_000

describe('webhooks changed outside of payctl', () => {
  onDatabases((open) => {
    let core: TestCore
    let shop: string
    let receiver: Receiver
    let made: JsonObject
    const time = { now: Date.UTC(2030, 0, 15, 17) }

    before(async () => {
      core = await openCore(open, { clock: { now: () => time.now } })
      shop = await makeProcessing(core)
      receiver = await openReceiver()
      open.atEnd(() => receiver.close())
    })
    beforeEach(async () => {
      receiver.received.splice(0)
      made = await core.ok('POST', '/webhooks', {
        trigger: 'payment_link:status',
        url: `${receiver.address}/shop`,
      })
    })
    afterEach(async () => {
      await core.ok('DELETE', `/webhooks/${made.id}`)
    })

    const thieves = (...statements: string[]) => asOutsider(core.place, ...statements)
    const happen = async () => {
      time.now += 1_000
      const body = { amount: 1, description: 'A book', processing_id: shop }
      return idOf(await core.ok('POST', '/payment_links', body))
    }
    const deliver = () => core.environment.deliver(new AbortController().signal)
    const paths = () => receiver.received.map(({ path }) => path)
    const problems = async () => {
      const query = `webhook_id=${made.id}&fields=*`
      return valuesOf(await core.ok('GET', '/webhook_logs', undefined, { query })).map(
        ({ problem }) => problem,
      )
    }
    const later = async () => {
      time.now += DAY
      await deliver()
    }

    it('send no event to another address, and deliver missed events after it is restored', async () => {
      await thieves(`update webhooks set url = '${receiver.address}/thief'`)
      await happen()
      await deliver()
      await later()
      expect(paths()).to.deep.equal([])
      expect((await problems()).join()).to.include('something other than payctl changed it')
      expect(JSON.stringify(await core.ok('GET', '/admin/status'))).to.include(String(made.id))
      const { status } = await core.send('PUT', `/webhooks/${made.id}`, { description: 'mine' })
      expect(status, 'a change would take over the address').to.equal(409)
      await thieves(`update webhooks set url = '${receiver.address}/shop'`)
      await later()
      expect(paths()).to.deep.equal(['/shop'])
    })

    it('send no event to their previous address', async () => {
      await core.ok('PUT', `/webhooks/${made.id}`, { url: `${receiver.address}/new` })
      await thieves(`update webhooks set url = '${receiver.address}/shop'`)
      await happen()
      await deliver()
      expect(paths()).to.deep.equal([])
      await thieves(`update webhooks set url = '${receiver.address}/new'`)
      await later()
      expect(paths()).to.deep.equal(['/new'])
    })

    it('send no event that was waiting when the address was changed', async () => {
      await happen()
      await deliver()
      expect(paths()).to.deep.equal(['/shop'])
      const [log] = valuesOf(
        await core.ok('GET', '/webhook_logs', undefined, { query: `webhook_id=${made.id}` }),
      )
      await thieves(`update webhooks set url = '${receiver.address}/thief'`)
      await core.send('POST', '/admin/events/replay', { log_id: log?.id ?? null })
      await deliver()
      expect(paths()).to.deep.equal(['/shop'])
      await thieves(`update webhooks set url = '${receiver.address}/shop'`)
    })

    it('send no event if they were added outside of payctl', async () => {
      const columns = 'trigger, url, status, created_at, modified_at'
      await thieves(
        `insert into webhooks (id, ${columns})
         select 'wh_0000000000000000000000', trigger, '${receiver.address}/thief', status, created_at, modified_at
         from webhooks where id = '${made.id}'`,
      )
      await happen()
      await deliver()
      await later()
      expect(paths()).to.deep.equal(['/shop'])
      await thieves("delete from webhooks where id = 'wh_0000000000000000000000'")
    })

    it('lose no event if they were disabled or removed outside of payctl', async () => {
      for (const change of ["status = 'disabled'", "deleted_at = '2030-01-01 00:00:00'"]) {
        receiver.received.splice(0)
        const link = await happen()
        await thieves(`update deliveries set due_at = due_at where webhook_id = '${made.id}'`)
        // The delivery is waiting before the webhook is changed.
        await core.environment.core.write(async ({ tx }) => {
          const event = await tx.db
            .selectFrom('events')
            .select('id')
            .where('object_id', '=', link)
            .executeTakeFirstOrThrow()
          const { deliveryOf, redeliver } = await import('../../../src/domain/webhooks/delivery.js')
          await redeliver(tx, [deliveryOf(event.id, String(made.id))], time.now)
        })
        await thieves(`update webhooks set ${change} where id = '${made.id}'`)
        await deliver()
        expect(paths(), change).to.deep.equal([])
        await thieves(`update webhooks set status = 'enabled', deleted_at = null where id = '${made.id}'`)
        await later()
        expect(paths(), change).to.deep.equal(['/shop'])
      }
    })
  })
})
