import { expect } from 'chai'
import { onSqlite } from '../../support/databases.js'
import { chromium } from '../chromium.js'
import { type ComponentWorld, componentWorld, eventOf, kindsOf } from './component-world.js'

/** `ProcessingAccountForm` of the React client, unmodified, on a page of another site than the service's. */
if (chromium !== undefined) {
  describe('the account form of payload-react, in a browser', () => {
    onSqlite((open) => {
      let world: ComponentWorld

      before(async () => {
        world = await componentWorld(open)
      })

      const events = "noting('loaded', 'closed', 'success', 'account_created')"
      const visit = async (script: (options: string) => string) => {
        const key = await world.clientKey({ processing_account_form: {} })
        return await world.visit({
          script: `const { h, show } = shop; ${script(`{ clientToken: '${key}', ...${events} }`)}`,
        })
      }

      it('shows the set-up of an account in its container', async () => {
        const page = await visit((options) => `show(h(shop.ProcessingAccountForm, ${options}))`)
        await eventOf(page, 'loaded')
        const frame = page.locator('#root iframe')
        expect(await frame.getAttribute('title')).to.equal('Account set-up')
        expect(await frame.contentFrame().locator('input:visible').count()).to.be.greaterThan(0)
        expect(await kindsOf(page)).to.deep.equal(['loaded'])
      })

      it('opens it in a window when the user asks for it, and says when that is closed', async () => {
        const page = await visit(
          (options) =>
            `show(h('button', { onClick: () => shop.openProcessingAccountForm(${options}) }, 'Set up'))`,
        )
        const [opened] = await Promise.all([page.waitForEvent('popup'), page.click('button')])
        await eventOf(page, 'loaded')
        await opened.close()
        await eventOf(page, 'closed')
      })

      it('breaks no policy', () => {
        expect(world.complaints).to.deep.equal([])
      })
    })
  })
}
