import { once } from 'node:events'
import { createServer } from 'node:http'
import { expect } from 'chai'
import { askForTokens } from '../../../../src/cli/terminal/oauth/token-endpoint.js'
import { RemoteError } from '../../../../src/cli/terminal/remote/remote-error.js'
import { rejection } from '../../../support/rejection.js'

describe('a request for tokens', () => {
  it('reports a different program, even if its answer claims to be JSON', async () => {
    for (const body of ['Hello', '', '["Hello"]']) {
      const stranger = createServer((_request, response) => {
        response.setHeader('content-type', 'application/json')
        response.end(body)
      })
      await once(stranger.listen(0, '127.0.0.1'), 'listening')
      const address = stranger.address()
      const port = typeof address === 'object' ? address?.port : undefined
      try {
        expect(await rejection(askForTokens(`http://127.0.0.1:${port}`, {})), body)
          .to.be.instanceOf(RemoteError)
          .with.property('message')
          .that.includes('is no payctl (status 200, application/json)')
      } finally {
        stranger.closeAllConnections()
        stranger.close()
      }
    }
  })
})
