import { expect } from 'chai'
import { idOf, objectOf } from '../support/core.js'
import { onDatabases } from '../support/databases.js'
import { processingAccount } from '../support/examples.js'
import { type HttpService, httpService } from '../support/http.js'

const unknownNames = (count: number) =>
  Object.fromEntries(Array.from({ length: count }, (_, number) => [`unknown_${number}`, 1]))

onDatabases((open) => {
  describe('a body with very many names', () => {
    let service: HttpService
    let secretKey: string
    let clientKey: string
    before(async () => {
      service = await httpService(await open.migrated())
      open.atEnd(() => service.stop())
      secretKey = await service.key()
      await service.ask(secretKey, 'POST', '/processing_accounts', processingAccount())
      clientKey = idOf((await service.ask(secretKey, 'POST', '/access_tokens', { type: 'client' })).body)
    })

    it('is refused by its size alone for a client key', async () => {
      const { status, body } = await service.ask(clientKey, 'POST', '/transactions', unknownNames(50_000))
      expect(status).to.equal(413)
      expect(body.error_description).to.equal('The body may have at most 131072 bytes')
    })

    it('is refused before any name is looked up', async () => {
      const { status, body } = await service.ask(secretKey, 'POST', '/transactions', unknownNames(100_000))
      expect(status).to.equal(400)
      expect(body).to.include({
        error_type: 'BadRequest',
        error_description: 'An object in the body has more than 10000 names',
      })
    })

    it('gets a short answer with the number of further problems', async () => {
      const { status, body } = await service.ask(secretKey, 'POST', '/customers', unknownNames(5_000))
      expect(status).to.equal(400)
      expect(body.error_type).to.equal('InvalidAttributes')
      const details = objectOf(body.details)
      expect(Object.keys(details)).to.have.length(1_000)
      expect(details.unknown_500).to.equal('Unknown attribute')
      expect(body.error_description).to.match(/ and 400\d more$/)
    })

    it('gets a short answer even if the names are long', async () => {
      const long = Object.fromEntries(
        Array.from({ length: 100 }, (_, number) => [`${number}`.padStart(20_000, 'x'), 1]),
      )
      const { status, body } = await service.ask(secretKey, 'POST', '/customers', long)
      expect(status).to.equal(400)
      expect(JSON.stringify(body)).to.have.length.below(200_000)
      expect(body.error_description).to.match(/ and 97 more$/)
    })
  })
})
