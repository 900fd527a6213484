import { expect } from 'chai'
import { idOf, openCore, type TestCore, valuesOf } from '../../support/core.js'
import { onDatabases } from '../../support/databases.js'
import { makeProcessing } from '../../support/examples.js'
import { httpService } from '../../support/http.js'
import { CARD, payerAt, wordsOf } from './payer.js'

const WRONG_CODE = '4111 1111 1111 9905'
const WRONG_NUMBER = '4111 1111 1111 9906'
const WRONG_ZIP = '4111 1111 1111 9907'

describe('the page of a declined payment', () => {
  onDatabases((open) => {
    let core: TestCore
    let address: string
    before(async () => {
      core = await openCore(open)
      const service = await httpService(core.place)
      open.atEnd(() => service.stop())
      address = service.address
    })

    it('shows the same for a wrong code, number and postal code, which the merchant can distinguish', async () => {
      const link = await core.ok('POST', '/payment_links', {
        amount: 20,
        processing_id: await makeProcessing(core),
      })
      const payer = payerAt(address)
      const refusals = []
      for (const card_number of [WRONG_CODE, WRONG_NUMBER, WRONG_ZIP]) {
        const refused = await payer.send(await payer.get(`/pay/${idOf(link)}`), {
          ...CARD,
          card_number,
        })
        expect(refused.status).to.equal(400)
        expect(refused.text).to.not.match(/aria-describedby="field-[a-z_]+-error"/)
        refusals.push(wordsOf(refused))
      }
      expect(new Set(refusals).size).to.equal(1)
      expect(refusals[0]).to.include('The payment was declined: Declined without a stated reason.')
      const payments = await core.ok('GET', '/transactions', undefined, {
        query: `payment_link_id=${link.id}`,
      })
      expect(valuesOf(payments).map(({ status_code }) => status_code)).to.have.members([
        'invalid_card_code',
        'invalid_card_number',
        'invalid_zip',
      ])
    })
  })
})
