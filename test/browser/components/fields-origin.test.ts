import { expect } from 'chai'
import { onSqlite } from '../../support/databases.js'
import { chromium } from '../chromium.js'
import { type ComponentWorld, componentWorld, digitsIn, eventOf, typeCard } from './component-world.js'

/** Tests secure inputs that the service serves from a separate origin, set by `PAYCTL_FIELDS_URL`. */
if (chromium !== undefined) {
  describe('secure inputs with an origin of their own @rest', () => {
    onSqlite((open) => {
      let world: ComponentWorld

      before(async () => {
        world = await componentWorld(open, { hasFieldsUrl: true })
      })

      it('send a payment from that origin, with a key that allows only the origin of the page', async () => {
        const key = await world.clientKey({ payment_form: { payment: { processing_id: world.account } } })
        const page = await world.visit({
          body: `<form pl-form="payment"><input type="hidden" pl-input="amount" value="70.01">
            <div pl-input="card"></div><button>Pay</button></form>`,
          // The address of the service without its final slash must work, too.
          script: `Payload('${key}')
            Payload.api_url = Payload.api_url.slice(0, -1)
            window.form = new Payload.Form({ form: document.querySelector('form'), autosubmit: false })
            for (const name of FORM) form.on(name, note)`,
        })
        await typeCard(page)
        await page.click('button')
        await eventOf(page, 'processed')
        expect(await world.payments(70.01)).to.have.length(1)
        expect(digitsIn(String(await page.evaluate('seen()')))).to.deep.equal([])
        const { origin } = new URL(world.service.address)
        const atService = world.addresses.filter((address) => address.startsWith(origin))
        expect(atService.map((address) => new URL(address).pathname)).to.deep.equal(['/Payload.js'])
        expect(world.complaints).to.deep.equal([])
      })
    })
  })
}
