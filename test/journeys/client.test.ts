import { expect } from 'chai'
import { onDatabases } from '../support/databases.js'
import { type HttpService, httpService } from '../support/http.js'
import { type Model, type PayloadClient, payloadClient } from '../support/payload-client.js'

const CARD = { card_number: '4242 4242 4242 4242', expiry: '12/35', card_code: '123' }
const BANK = { account_number: '1234567890', routing_number: '036001808', account_type: 'checking' }

const PERSON = {
  street_address: '123 Example Street',
  unit_number: 'Suite 1',
  city: 'New York',
  state_province: 'NY',
  postal_code: '11238',
  phone_number: '(111) 222-3333',
}

const MERCHANT = {
  name: 'Example Merchant',
  legal_entity: {
    ...PERSON,
    legal_name: 'Example Merchant LLC',
    type: 'INDIVIDUAL_SOLE_PROPRIETORSHIP',
    country: 'US',
    ein: '23 423 4234',
    state_incorporated: 'NY',
    website: 'https://example.com',
    start_date: '05/01/2015',
    contact_name: 'Example Person',
    contact_email: 'person@example.com',
    contact_title: 'VP',
    owners: {
      ...PERSON,
      full_name: 'Example Person',
      email: 'person@example.com',
      ssn: '234-23-4234',
      birth_date: '06/20/1985',
      title: 'CEO',
      ownership: '100',
      type: 'owner',
    },
  },
}

describe('journey: the public client, unmodified', () => {
  onDatabases('story', (open) => {
    let service: HttpService
    let pl: PayloadClient
    let merchant: Model

    before(async () => {
      service = await httpService(await open.migrated())
      open.atEnd(() => service.stop())
      pl = payloadClient(service.address, await service.key())
      merchant = await pl.create(
        pl.ProcessingAccount({
          ...MERCHANT,
          payment_methods: [pl.PaymentMethod({ type: 'bank_account', bank_account: BANK })],
        }),
      )
    })

    const pay = (attributes: object = {}) =>
      pl.create(
        pl.Payment({ amount: 100, processing_id: merchant.id, payment_method: pl.Card(CARD), ...attributes }),
      )
    const ledgerOf = async (id: string) => {
      const { ledger } = await pl.select(pl.Transaction).select('*', 'ledger').get(id)
      return ledger?.map((entry) => [entry.entry_type, entry.amount, entry.assoc_transaction_id])
    }

    it('makes a processing account with legal entity, owner and bank account in one tree', async () => {
      expect(merchant).to.include({ object: 'processing_account', name: MERCHANT.name, status: 'pending' })
      const shown = await pl.ProcessingAccount.select(
        '*',
        'legal_entity[*]',
        'legal_entity[owners]',
        'payment_methods',
      ).get(merchant.id)
      expect(shown).to.have.nested.include({
        'legal_entity.ein': 'xxxxx4234',
        'legal_entity.owners[0].full_name': 'Example Person',
        'payment_methods[0].bank_account.account_number': 'xxxxxx7890',
      })
    })

    it('makes, changes and deletes a customer', async () => {
      const customer = await pl.create(
        pl.Customer({ name: 'Example Customer', email: 'customer@example.com' }),
      )
      expect(customer).to.include({ object: 'customer', name: 'Example Customer' })
      await customer.update({ name: 'Renamed Customer' })
      expect(await pl.Customer.get(customer.id)).to.include({
        name: 'Renamed Customer',
        email: 'customer@example.com',
      })
      await customer.delete()
      expect(await failure(pl.Customer.get(customer.id))).to.be.instanceOf(pl.NotFound)
    })

    it('takes a payment by card', async () => {
      const payment = await pay()
      expect(payment).to.include({
        object: 'transaction',
        type: 'payment',
        amount: 100,
        status: 'processed',
        status_code: 'approved',
        risk_flag: 'allowed',
        processing_id: merchant.id,
      })
      expect(payment).to.have.nested.property('payment_method.card.card_number', 'xxxxxxxxxxxx4242')
      expect(await ledgerOf(payment.id)).to.deep.equal([])
    })

    it('takes a payment by bank account', async () => {
      const payment = await pay({ payment_method: pl.BankAccount(BANK) })
      expect(payment).to.include({ status: 'processed' })
      expect(payment).to.have.nested.property('payment_method.bank_account.routing_number', 'xxxxx1808')
    })

    it('gets the stored transaction with a decline', async () => {
      const declined = await failure(
        pay({ payment_method: pl.Card({ ...CARD, card_number: '4111 1111 1111 9904' }) }),
      )
      expect(declined).to.be.instanceOf(pl.BadRequest)
      expect(declined).to.have.nested.include({
        'data.error_type': 'TransactionDeclined',
        'details.status': 'declined',
        'details.status_code': 'insufficient_bal',
      })
      const id = idOf(declined)
      expect(await pl.Transaction.get(id)).to.include({ status: 'declined', amount: 100 })
    })

    it('voids a payment', async () => {
      const payment = await pay()
      await payment.update({ status: 'voided' })
      expect(payment.status).to.equal('voided')
      expect(await failure(payment.update({ status: 'processed' }))).to.be.instanceOf(pl.InvalidAttributes)
    })

    it('refunds in full and in part, and reads the ledger', async () => {
      const payment = await pay()
      const refund = (amount: number) =>
        pl.create(pl.Refund({ amount, ledger: [pl.Ledger({ assoc_transaction_id: payment.id })] }))
      const part = await refund(30.25)
      expect(part).to.include({ type: 'refund', amount: 30.25, status_code: 'approved' })
      const rest = await refund(69.75)
      expect(rest).to.include({ type: 'refund', amount: 69.75, status_code: 'approved' })
      const refused = await failure(refund(0.01))
      expect(refused).to.be.instanceOf(pl.InvalidAttributes)
      expect(await ledgerOf(payment.id)).to.deep.equal([
        ['refund', -30.25, part.id],
        ['refund', -69.75, rest.id],
      ])
      expect(await ledgerOf(part.id)).to.deep.equal([['payment', 30.25, payment.id]])
    })

    it('refunds a bank payment in full', async () => {
      const payment = await pay({ payment_method: pl.BankAccount(BANK) })
      const ledger = [pl.Ledger({ assoc_transaction_id: payment.id })]
      const refund = await pl.create(pl.Refund({ amount: payment.amount, ledger }))
      expect(refund).to.include({ type: 'refund', amount: 100, status_code: 'approved' })
      expect(await pl.Payment.get(payment.id)).to.include({ status: 'processed', funding_status: 'refunded' })
    })

    it('refunds blindly to a card', async () => {
      const refund = await pl.create(
        pl.Refund({ amount: 5, processing_id: merchant.id, payment_method: pl.Card(CARD) }),
      )
      expect(refund).to.include({ type: 'refund', amount: 5, status_code: 'approved' })
      expect(await ledgerOf(refund.id)).to.deep.equal([])
    })

    it('filters, selects, sorts and pages', async () => {
      for (const amount of [7.5, 7.6, 7.7, 9]) await pay({ amount, description: 'Filtered Payment' })
      const { amount, description } = pl.attr
      const found = pl.Payment.filterBy(amount.gt(7.49), amount.lt(8), description.contains('filtered'))
      const page = await found.select('id', 'amount').orderBy('amount').limit(2).offset(1)
      expect(page.map((payment) => payment.amount)).to.deep.equal([7.6, 7.7])
      expect(page.map((payment) => Object.keys(payment).sort())).to.deep.equal(
        page.map(() => ['amount', 'id']),
      )
      const newest = await pl.Payment.filterBy({ description: 'Filtered Payment' }).orderBy(
        'desc(created_at)',
      )
      expect(newest.map((payment) => payment.amount)).to.have.members([7.5, 7.6, 7.7, 9])
      expect(await failure(found.filterBy({ nonsense: '1' }))).to.be.instanceOf(pl.InvalidAttributes)
    })

    it('creates, updates and deletes many at once', async () => {
      const customer = (n: number) =>
        pl.Customer({ name: `Bulk Customer ${n}`, email: `bulk${n}@example.com` })
      const made = await pl.create([customer(1), customer(2), customer(3)])
      expect(made.map(({ name }) => name)).to.deep.equal([
        'Bulk Customer 1',
        'Bulk Customer 2',
        'Bulk Customer 3',
      ])

      const changed = await pl.update(made.map((one, n) => [one, { description: `No. ${n + 1}` }] as const))
      expect(changed.map((one) => one.description)).to.deep.equal(['No. 1', 'No. 2', 'No. 3'])

      const bulk = () => pl.Customer.filterBy(pl.attr.email.contains('BULK'))
      expect(await bulk().update({ description: 'All' })).to.have.length(3)
      expect((await bulk().select('description')).map((one) => one.description)).to.deep.equal([
        'All',
        'All',
        'All',
      ])

      // The client deletes the objects, but then fails with a TypeError, because it misreads any list in the
      // answer.
      expect(await failure(pl.delete(made.slice(0, 2)))).to.be.instanceOf(TypeError)
      expect((await bulk().select('name')).map(({ name }) => name)).to.deep.equal(['Bulk Customer 3'])
      expect(await failure(bulk().delete())).to.be.instanceOf(TypeError)
      expect(await bulk()).to.deep.equal([])
    })

    it('writes no object if one of many is invalid, and names the invalid one', async () => {
      const wrong = await failure(
        pl.create([pl.Customer({ name: 'Good Customer' }), pl.Customer({ email: 'bad' })]),
      )
      expect(wrong).to.be.instanceOf(pl.InvalidAttributes)
      expect(wrong).to.have.deep.property('details', {
        1: { name: 'Required', email: 'Must be valid email' },
      })
      expect(await pl.Customer.filterBy({ name: 'Good Customer' })).to.deep.equal([])
    })

    it('can request version 1 or no version; other versions and unknown keys are refused with a reason', async () => {
      const key = await service.key()
      expect(await pl.Session(key, { apiVersion: 'v1' }).Customer.filterBy({ name: 'Nobody' })).to.deep.equal(
        [],
      )
      const other = pl.Session(key, { apiVersion: 'v2' })
      expect(await failure(other.Customer.filterBy({ name: 'Nobody' }))).to.be.instanceOf(other.BadRequest)
      const unknown = pl.Session('test_secret_key_unknown')
      expect(await failure(unknown.Customer.get('acct_1'))).to.be.instanceOf(unknown.Unauthorized)
    })
  })
})

async function failure(promise: PromiseLike<unknown>): Promise<unknown> {
  try {
    await promise
  } catch (error) {
    return error
  }
  throw new Error('It was accepted')
}

function idOf(error: unknown): string {
  const details = error instanceof Error && 'details' in error ? error.details : undefined
  const id = typeof details === 'object' && details !== null && 'id' in details ? details.id : undefined
  if (typeof id !== 'string') throw new Error('The error holds no stored object')
  return id
}
