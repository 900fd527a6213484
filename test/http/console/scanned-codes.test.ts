import { expect } from 'chai'
import { consoleWorld, EMAIL, keyIn } from '../../support/console-world.js'
import { idOf, openCore } from '../../support/core.js'
import { onDatabases } from '../../support/databases.js'
import { makeProcessing } from '../../support/examples.js'
import { readDrawnCode } from '../../support/read-qr-code.js'
import { operatorVisit } from './operators-visit.js'

onDatabases((open) => {
  describe('QR codes of the console', () => {
    it('show the address of a link beside it, with a file to download', async () => {
      const core = await openCore(open)
      const processing_id = await makeProcessing(core)
      const link = idOf(await core.ok('POST', '/payment_links', { amount: 20, processing_id }))
      const { status, text } = await operatorVisit(core.app, { role: 'viewer' }).get(`links/${link}`)
      expect(status).to.equal(200)
      expect(readDrawnCode(text)).to.equal(`http://127.0.0.1:4242/pay/${link}`)
      expect(text).to.include(`href="/pay/${link}.qrcode.svg" download="${link}.qrcode.svg"`)
    })

    it('pass the key of one-time codes to an app; the page shows the key as text, too', async () => {
      const browser = await (await consoleWorld(open)).entered()
      const page = await browser.get('/console/test/set-up')
      const address = new URL(readDrawnCode(page.text))
      expect(address.protocol).to.equal('otpauth:')
      expect(address.searchParams.get('secret')).to.equal(keyIn(page))
      expect(decodeURIComponent(address.pathname)).to.include(EMAIL)
    })
  })
})
