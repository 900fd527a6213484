import { once } from 'node:events'
import { request } from 'node:http'
import { expect } from 'chai'
import { ApiError } from '../../src/engine/core/request/api-error.js'
import { openLog } from '../../src/http/api/log.js'
import { withoutLive } from '../../src/http/live-over-tls.js'
import { serve } from '../../src/http/server.js'
import { echoApp, KEY } from './echo-app.js'

describe('a request to the live environment over plain HTTP', () => {
  it('is refused on an address that others can reach, unlike requests to the test environment', async () => {
    const app = withoutLive(echoApp())
    await app.environment('test')
    expect(await app.environment('live').catch((error: unknown) => error))
      .to.be.instanceOf(ApiError)
      .and.include({ type: 'Forbidden' })
  })

  for (const [host, behindTls, status] of [
    ['0.0.0.0', false, 403],
    ['0.0.0.0', true, 200],
    ['127.0.0.1', false, 200],
  ] as const)
    it(`is answered with ${status} on ${host}${behindTls ? ' behind a proxy with TLS' : ''}`, async () => {
      const echo = echoApp()
      const app = {
        ...echo,
        authenticate: async (credential: string) => {
          const holder = await echo.authenticate(credential)
          return holder && ({ ...holder, environment: 'live' } as const)
        },
      }
      const { address, stop } = await serve({
        app,
        host,
        port: 0,
        logger: openLog('silent'),
        jobs: [],
        behindTls,
      })
      const reached = address.replace('0.0.0.0', '127.0.0.1')
      // Sent without `fetch`, which would check the answer, because the echo's answers are not in the OpenAPI
      // document.
      const sent = request(`${reached}/accounts`, { headers: { authorization: `Bearer ${KEY}` } }).end()
      const [answer] = await once(sent, 'response')
      expect(answer.resume().statusCode).to.equal(status)
      await stop()
    })
})
