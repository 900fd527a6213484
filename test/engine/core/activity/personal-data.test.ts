import { expect } from 'chai'
import type { Json, JsonObject } from '../../../../src/schema/json.js'
import { seededChance } from '../../../support/chance.js'
import { idOf, objectOf, openCore, type TestCore } from '../../../support/core.js'
import { onDatabases } from '../../../support/databases.js'
import { card, processingAccount } from '../../../support/examples.js'
import { linesOf } from './lines.js'

/** Mark in every text that clients send, to find it in any stored data. */
const MARK = 'zqxj'

/** Texts with personal data, each with the mark. */
const HOSTILE = [
  `${MARK} Park`,
  `${MARK}@example.com`,
  `{"${MARK}": "4242"}`,
  `status","after":{"${MARK}":1}`,
  `acct_${MARK}`,
  `<b>${MARK}</b>`,
]

onDatabases((open) => {
  describe('lines of activity, which are never deleted', () => {
    let core: TestCore
    before(async () => {
      core = await openCore(open)
    })

    it('hold no names, addresses, numbers or free texts, whatever a request contains', async () => {
      const chance = seededChance(20_261_126)
      const text = () => chance.pick(HOSTILE) ?? MARK
      const marked = (value: Json): Json => {
        if (Array.isArray(value)) return value.map(marked)
        if (typeof value !== 'object' || value === null) return value
        return Object.fromEntries(
          Object.entries(value).map(([name, inner]) => [name, FREE.has(name) ? text() : marked(inner)]),
        )
      }
      const sent = (value: JsonObject) => ({ ...objectOf(marked(value)), attrs: { [text()]: text() } })
      for (let n = 0; n < 10; n++) {
        const shop = idOf(await core.ok('POST', '/processing_accounts', sent(processingAccount())))
        const customer = { name: '', email: `${MARK}@example.com`, primary_processing_id: shop }
        const made = idOf(await core.ok('POST', '/customers', sent(customer)))
        await core.ok(
          'PUT',
          `/customers/${made}`,
          sent({ name: '', description: '', email: `b${MARK}@b.example` }),
        )
        const payment = {
          type: 'payment',
          amount: 10,
          description: '',
          order_number: '',
          processing_id: shop,
          payment_method: { ...card(), account_holder: '' },
        }
        const paid = idOf(
          await core.ok('POST', '/transactions', sent(payment), { idempotencyKey: `${n} ${text()}` }),
        )
        await core.ok('PUT', `/transactions/${paid}`, sent({ description: '' }))
        await core.send('POST', '/transactions', sent({ ...payment, amount: -1 }))
        await core.ok('POST', '/admin/keys', sent({ description: '', processing_ids: [shop] }))
        const operator = { name: '', email: `${n}${MARK}@example.com`, role: 'cashier' }
        const added = idOf(await core.ok('POST', '/admin/operators', sent(operator)))
        await core.ok(
          'PUT',
          `/admin/operators/${added}`,
          sent({ name: '', role: 'viewer', processing_ids: [shop] }),
        )
        await core.ok('DELETE', `/customers/${made}`)
      }
      const lines = await linesOf(core)
      expect(lines).to.have.length.of.at.least(90)
      expect(JSON.stringify(lines)).not.to.match(new RegExp(MARK))
      // Numbers of cards, bank accounts, people and enterprises in the examples.
      expect(JSON.stringify(lines)).not.to.match(
        /4242 ?4242|x4242|9876543210|021000021|123-?45-?6789|12-?3456789|1980-01-31/,
      )
    })
  })
})

/** Attributes that hold any text. */
const FREE: ReadonlySet<string> = new Set([
  'name',
  'description',
  'order_number',
  'account_holder',
  'legal_name',
  'full_name',
  'title',
  'city',
  'street_address',
])
