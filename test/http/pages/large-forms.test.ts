import { expect } from 'chai'
import { openCore } from '../../support/core.js'
import { onDatabases } from '../../support/databases.js'
import { makeProcessing } from '../../support/examples.js'
import { httpService } from '../../support/http.js'
import { oauthWorld, REDIRECT } from '../../support/oauth.js'

describe('an oversized form', () => {
  onDatabases((open) => {
    it('is refused before it is parsed', async () => {
      const core = await openCore(open)
      const link = await core.ok('POST', '/payment_links', {
        amount: 5,
        processing_id: await makeProcessing(core),
      })
      const service = await httpService(core.place)
      open.atEnd(() => service.stop())
      const { clientKey, clientId } = await oauthWorld(service)
      const asked = { client_key: clientKey, org_id: clientId, scope: 'org', redirect_uri: REDIRECT }
      const body = new URLSearchParams({ account_holder: '.123456789012345 1'.repeat(20_000) })
      for (const path of [`/pay/${link.id}`, `/oauth/authorize?${new URLSearchParams(asked)}`]) {
        const response = await fetch(service.address + path, { method: 'POST', body })
        expect([path, response.status]).to.deep.equal([path, 413])
        expect(response.headers.get('content-type')).to.equal('text/html; charset=utf-8')
      }
    })
  })
})
