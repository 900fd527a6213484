import { expect } from 'chai'
import type { JsonObject } from '../../../src/schema/json.js'
import { openCore, type TestCore } from '../../support/core.js'
import { onDatabases } from '../../support/databases.js'
import { card } from '../../support/examples.js'
import { contents, dataUrl } from '../../support/files.js'
import { contentsOf, firstOf, type Merchant, makeMerchant, reachable, unknownLike } from './merchants.js'

type Naming = readonly [path: string, body: JsonObject]

/**
 * New objects of the caller with references to another merchant's; `mine` and `foreign` return the first
 * object at a path.
 */
function creations(mine: (plural: string) => string, foreign: (plural: string) => string): Naming[] {
  const pay = { type: 'payment', amount: 1, payment_method: card() }
  const file = dataUrl('a.txt', contents.txt)
  const item = { entry_type: 'charge', amount: 1 }
  return [
    ['/transactions', { ...pay, reader_id: foreign('readers') }],
    ['/transactions', { ...pay, reader: { id: foreign('readers') } }],
    ['/transactions', { ...pay, payment_link_id: foreign('payment_links') }],
    ['/transactions', { ...pay, allocations: [{ invoice_id: foreign('invoices') }] }],
    ['/receipts', { transaction_id: foreign('transactions') }],
    [`/transactions/${foreign('transactions')}/receipts`, {}],
    ['/invoice_attachments', { invoice_id: foreign('invoices'), file }],
    ['/invoice_attachments', { payment_link_id: foreign('payment_links'), file }],
    ['/link_notifications', { payment_link_id: foreign('payment_links'), email: 'a@example.com' }],
    [`/invoices/${foreign('invoices')}/attachments`, { file }],
    ['/line_items', { ...item, invoice_id: foreign('invoices') }],
    [
      '/line_items',
      { entry_type: 'payment', invoice_id: foreign('invoices'), transaction_id: mine('transactions') },
    ],
    [
      '/line_items',
      { entry_type: 'payment', invoice_id: mine('invoices'), transaction_id: foreign('transactions') },
    ],
    ['/invoices', { customer_id: foreign('customers') }],
    ['/invoices', { customer_id: mine('customers'), billing_schedule_id: foreign('billing_schedules') }],
    ['/invoices', { customer_id: mine('customers'), attachments: [{ id: foreign('invoice_attachments') }] }],
    ['/billing_schedules', { customer_id: foreign('customers') }],
    ['/billing_charges', { billing_schedule_id: foreign('billing_schedules'), amount: 1 }],
    ['/payment_links', { customer_id: foreign('customers'), amount: 1, description: 'Books' }],
    ['/payment_links', { invoice_id: foreign('invoices') }],
    ['/payment_activations', { customer_id: foreign('customers') }],
    [
      '/payment_activations',
      { customer_id: mine('customers'), payment_method_id: foreign('payment_methods') },
    ],
    ['/stakeholders', { legal_entity_id: foreign('legal_entities'), full_name: 'Eve', role: 'contact' }],
    ['/account_access', { org_id: foreign('orgs') }],
    ['/account_access', { org_id: mine('orgs'), account_id: foreign('processing_accounts') }],
    [`/orgs/${foreign('orgs')}/account_access`, {}],
    ['/orgs', { name: 'Group', industry: 'books', org_type: 'company', parent_org_id: foreign('orgs') }],
    ['/customers', { name: 'Eve', parent_org_id: foreign('orgs') }],
    ['/readers', { name: 'Door', processing_id: foreign('processing_accounts') }],
    ['/webhooks', { trigger: 'payment', url: 'https://example.com', processing_id: foreign('accounts') }],
    ['/access_tokens', { type: 'client', processing_id: foreign('processing_accounts') }],
    ['/payment_methods', { ...card(), processing_agreement: { id: foreign('processing_agreements') } }],
  ]
}

onDatabases((open) => {
  describe('an object created with a narrowed key', () => {
    let core: TestCore
    let own: Merchant
    let other: Merchant

    before(async () => {
      core = await openCore(open)
      own = await makeMerchant(core)
      other = await makeMerchant(core)
    })

    it("cannot refer to another merchant's object, and does not reveal that it exists", async () => {
      const before = [await contentsOf(core, own), await contentsOf(core, other)]
      const mine = (plural: string) => firstOf(own, plural)
      const foreign = (plural: string) => firstOf(other, plural)
      const nobodys = (plural: string) => unknownLike(foreign(plural))
      /** The answer, with the requested ids removed. */
      const answer = async ([path, body]: Naming, name: (plural: string) => string) => {
        const { status, body: told } = await core.send('POST', path, body, { principal: own.key })
        return reachable.reduce(
          (text, { plural }) => text.replaceAll(name(plural), '<id>'),
          JSON.stringify([status, told]),
        )
      }
      const reached = creations(mine, foreign)
      for (const [index, nowhere] of creations(mine, nobodys).entries()) {
        const what = JSON.stringify(nowhere)
        const expected = await answer(nowhere, nobodys)
        expect(expected, what).to.match(/^\[40[034],/)
        expect(await answer(reached[index] ?? nowhere, foreign), what).to.equal(expected)
      }
      expect([await contentsOf(core, own), await contentsOf(core, other)]).to.deep.equal(before)
    })
  })
})
