import { once } from 'node:events'
import { createServer } from 'node:http'
import { expect } from 'chai'
import { openCore, valuesOf } from '../../support/core.js'
import { onDatabases } from '../../support/databases.js'

describe('a gateway whose list of settlements cannot be read', () => {
  onDatabases((open) => {
    it('is queried once, however far the clock is moved', async () => {
      const asked: (string | undefined)[] = []
      const server = createServer((request, response) => {
        asked.push(request.url)
        response.writeHead(500).end()
      }).listen(0, '127.0.0.1')
      await once(server, 'listening')
      open.atEnd(async () => {
        server.close()
        await once(server, 'close')
      })
      const address = server.address()
      const port = typeof address === 'object' ? address?.port : undefined
      const core = await openCore(open, { gatewayLoopback: true })
      await core.ok('POST', '/admin/gateways', {
        name: 'up',
        kind: 'peer',
        base_url: `http://127.0.0.1:${port}`,
        credentials: { secret_key: 'test_secret_key_of_another' },
      })
      await core.ok('POST', '/admin/clock', { by: '30d' })
      expect(asked).to.have.length(1)
      const [gateway] = valuesOf(await core.ok('GET', '/admin/gateways'))
      expect(gateway?.settlements_problem).to.be.a('string')
    })
  })
})
