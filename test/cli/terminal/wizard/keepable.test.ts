import { expect } from 'chai'
import { keepable } from '../../../../src/cli/terminal/wizard/keepable.js'
import { resources } from '../../../../src/resources/resource-table.js'
import type { JsonObject } from '../../../../src/schema/json.js'
import { registryOf } from '../../../../src/schema/registry.js'
import { attributesOf } from '../../../../src/schema/resource.js'

describe('values saved in a draft', () => {
  const registry = registryOf(resources)
  const kept = (name: keyof typeof resources, body: JsonObject) =>
    keepable(registry, attributesOf(resources[name]), body)

  it('are those that were typed, in lists, too', () => {
    const invoice: JsonObject = {
      customer_id: 'acct_1',
      items: [{ description: 'Beans', amount: 12.5, qty: 2 }, { description: 'Sugar' }],
    }
    expect(kept('invoice', invoice)).to.deep.equal(invoice)
  })

  it('exclude numbers of cards, bank accounts and persons at any depth', () => {
    const account = {
      name: 'Shop',
      legal_entity: {
        legal_name: 'Shop LLC',
        ein: '123456789',
        owners: [{ full_name: 'Ada', ssn: '123456780' }],
      },
      payment_methods: [
        {
          type: 'bank_account',
          bank_account: {
            account_number: '9876543210',
            routing_number: '021000021',
            account_type: 'checking',
          },
        },
      ],
    }
    expect(kept('account', account)).to.deep.equal({
      name: 'Shop',
      legal_entity: { legal_name: 'Shop LLC', owners: [{ full_name: 'Ada' }] },
      payment_methods: [{ type: 'bank_account', bank_account: { account_type: 'checking' } }],
    })
  })

  it('exclude security codes, files, undeclared attributes and free text with card data', () => {
    expect(
      kept('transaction', {
        amount: 5,
        card_code: '123',
        card_number: '4242424242424242',
        description: 'paid by 4242 4242 4242 4242',
        attrs: { cvv: '123' },
        payment_method: { card: { card_number: '4242424242424242', expiry: '12/39', card_code: '123' } },
      }),
    ).to.deep.equal({ amount: 5, payment_method: { card: { expiry: '12/39' } } })
    expect(kept('oauth_user', { email: 'a@example.com', password: 'a long sentence' })).to.deep.equal({
      email: 'a@example.com',
    })
    expect(
      kept('invoice_attachment', { name: 'a.pdf', file: 'data:application/pdf;base64,AA' }),
    ).to.deep.equal({
      name: 'a.pdf',
    })
  })
})
