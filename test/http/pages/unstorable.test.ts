import { expect } from 'chai'
import { Visitor } from '../../support/consent.js'
import { onDatabases } from '../../support/databases.js'
import { type HttpService, httpService } from '../../support/http.js'
import { oauthWorld, PASSWORD, REDIRECT } from '../../support/oauth.js'

describe('text that one of the databases cannot store', () => {
  onDatabases((open) => {
    let service: HttpService
    before(async () => {
      service = await httpService(await open.migrated())
      open.atEnd(() => service.stop())
    })
    // Rejects if an unexpected error was reported.

    for (const [method, path, status] of [
      ['GET', '/pay/%00', 404],
      ['POST', '/pay/%00', 404],
      ['POST', '/gateways/%00/notifications', 404],
      ['GET', '/paid/test/%00?signature=%00', 404],
      ['GET', '/receipt/test/%00?signature=%00', 404],
      ['GET', '/files/test/%00?signature=%00', 404],
    ] as const)
      it(`is treated as not found: ${method} ${path}`, async () => {
        expect((await fetch(service.address + path, { method })).status).to.equal(status)
      })

    it('matches no organization, and cannot sign in', async () => {
      const { clientKey, clientId } = await oauthWorld(service)
      const addressOf = (org_id: string) => {
        const asked = { client_key: clientKey, org_id, scope: 'org', redirect_uri: REDIRECT }
        return `${service.address}/oauth/authorize?${new URLSearchParams(asked)}`
      }
      const visitor = new Visitor()
      expect((await visitor.get(addressOf('\0'))).status).to.equal(400)
      const page = await (await visitor.get(addressOf(clientId))).text()
      const signed = await visitor.send(page, addressOf(clientId), {
        email: 'grace\0@example.com',
        password: PASSWORD,
      })
      expect(signed.status).to.equal(400)
      expect(await signed.text()).to.include('The e-mail address or the password is wrong')
    })
  })
})
