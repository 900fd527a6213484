import { expect } from 'chai'
import { keepable } from '../../../src/cli/terminal/wizard/keepable.js'
import { resources } from '../../../src/resources/resource-table.js'
import type { JsonObject } from '../../../src/schema/json.js'
import { registryOf } from '../../../src/schema/registry.js'
import { attributesOf } from '../../../src/schema/resource.js'

describe('what a draft keeps', () => {
  const registry = registryOf(resources)
  const kept = (name: keyof typeof resources, body: JsonObject) =>
    keepable(registry, attributesOf(resources[name]), body)

  it('is what was typed, in lists as well', () => {
    const invoice: JsonObject = {
      customer_id: 'acct_1',
      items: [{ description: 'Beans', amount: 12.5, qty: 2 }, { description: 'Sugar' }],
    }
    expect(kept('invoice', invoice)).to.deep.equal(invoice)
  })

  it('is no number of a card, a bank account or a person, however deep it stands', () => {
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

  it('is no code, file, undeclared attribute or free text with card data', () => {
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
