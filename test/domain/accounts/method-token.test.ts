import { expect } from 'chai'
import { openCore, type TestCore } from '../../support/core.js'
import { onDatabases } from '../../support/databases.js'
import { card } from '../../support/examples.js'

const gateway_token = { gateway: 'up', token: 'tok_1' }

describe('a payment method with a gateway token', () => {
  onDatabases((open) => {
    let core: TestCore
    before(async () => {
      core = await openCore(open)
    })

    for (const [type, description] of [
      ['card', 'Card kept by the gateway'],
      ['bank_account', 'Bank account kept by the gateway'],
    ] as const)
      it(`needs no number: ${type}`, async () => {
        const method = await core.ok('POST', '/payment_methods', { type, gateway_token })
        expect(method).to.include({ type, description })
        expect(JSON.stringify(await core.ok('GET', `/payment_methods/${method.id}`))).not.to.include('tok_1')
      })

    it('may have a number too, which is validated as usual', async () => {
      expect(await core.ok('POST', '/payment_methods', { ...Object(card()), gateway_token })).to.include({
        type: 'card',
      })
      const half = await core.send('POST', '/payment_methods', {
        type: 'card',
        gateway_token,
        card: { expiry: '12/39' },
      })
      expect(half.body.details).to.deep.equal({ card: { card_number: 'Required' } })
    })

    it('is refused with the missing attributes if it has neither', async () => {
      const none = await core.send('POST', '/payment_methods', { type: 'card' })
      expect(none.body.details).to.deep.equal({ card: { card_number: 'Required', expiry: 'Required' } })
      const broken = await core.send('POST', '/payment_methods', {
        type: 'card',
        gateway_token: { token: 'tok_1' },
      })
      expect(broken.body.details).to.deep.equal({
        gateway_token: 'Must be {"gateway":"name","token":"text"}',
      })
    })
  })
})
