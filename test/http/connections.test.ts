import { expect } from 'chai'
import type { ApiResponse } from '../../src/engine/core/request/request.js'
import { openLog } from '../../src/http/api/log.js'
import { serve } from '../../src/http/server.js'
import { gate } from '../support/gate.js'
import { BASIC, echoApp } from './echo-app.js'
import { rawClient } from './raw-client.js'

const MAX = 20
const GET = `GET /accounts HTTP/1.1\r\nHost: x\r\nAuthorization: ${BASIC}\r\n`

describe('connections', () => {
  const begin = (app = echoApp()) =>
    serve({
      app,
      host: '127.0.0.1',
      port: 0,
      logger: openLog('silent'),
      jobs: [],
      limits: { connections: MAX },
    })

  it('that stay silent are closed to make room for connections with requests', async () => {
    const { address, stop } = await begin()
    try {
      const silent = await Promise.all(Array.from({ length: 5 * MAX }, () => rawClient(address)))
      const client = await rawClient(address)
      client.say(`${GET}Connection: close\r\n\r\n`)
      expect(await client.ended()).to.match(/^HTTP\/1.1 200 /)
      // Only the allowed number is left; the other connections were closed.
      await Promise.all(silent.slice(0, 4 * MAX).map((each) => each.ended()))
    } finally {
      await stop()
    }
  })

  it('with requests are never closed for new connections', async () => {
    const begun = gate<ApiResponse>()
    const everybody = gate<void>()
    let asking = 0
    const app = echoApp(() => {
      if (++asking === MAX) void everybody.enter()
      return begun.enter()
    })
    const { address, stop } = await begin(app)
    try {
      const clients = await Promise.all(Array.from({ length: MAX }, () => rawClient(address)))
      for (const client of clients) client.say(`${GET}Connection: close\r\n\r\n`)
      await everybody.entered
      const late = await rawClient(address)
      expect(await late.ended()).to.equal('')
      begun.open({ status: 200, body: { object: 'echo' }, headers: {} })
      for (const client of clients) expect(await client.ended()).to.match(/^HTTP\/1.1 200 /)
    } finally {
      await stop()
    }
  })
})
