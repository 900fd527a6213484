import { once } from 'node:events'
import { createInterface } from 'node:readline'
import { expect } from 'chai'
import { objectOf } from '../../support/core.js'
import { onDatabases, type Place } from '../../support/databases.js'
import { startServer } from '../../support/server-process.js'
import { payctl, start } from './payctl.js'

onDatabases((open) => {
  describe('payctl serve', () => {
    let place: Place
    before(async () => {
      place = await open.place()
    })

    it('prints its address, answers, runs beside other commands, and stops cleanly', async () => {
      const made = await payctl(place, ['keys', 'create', '--json'])
      const { secret_key } = objectOf(JSON.parse(made.stdout))
      const server = start(place, ['serve', '--port', '0'])
      const closed = once(server, 'close')
      try {
        if (!server.stdout) throw new Error('The server has no output')
        const [line] = await once(createInterface(server.stdout), 'line')
        const address = /^Listening on (http:\/\/127\.0\.0\.1:\d+)$/.exec(String(line))?.[1]
        const made = await payctl(place, ['customers', 'create', '--name', 'Ada', '--json'])
        const { id } = objectOf(JSON.parse(made.stdout))
        const response = await fetch(`${address}/customers/${id}`, {
          headers: { authorization: `Bearer ${secret_key}` },
        })
        expect(await response.json()).to.include({ id, name: 'Ada' })
      } finally {
        server.kill('SIGTERM')
      }
      expect(await closed).to.deep.equal([0, null])
    })

    it('limits requests as configured', async () => {
      const { secret_key: key } = objectOf(
        JSON.parse((await payctl(place, ['keys', 'create', '--json'])).stdout),
      )
      const server = await startServer(place, ['--key-rate', '2', '--address-rate', '9'])
      const ask = async () =>
        await fetch(`${server.address}/customers`, { headers: { authorization: `Bearer ${key}` } })
      try {
        const [first, , third] = [await ask(), await ask(), await ask()]
        expect(first.headers.get('ratelimit-policy')).to.equal('"address";q=9;w=60, "key";q=2;w=60')
        expect([first.status, third.status]).to.deep.equal([200, 429])
        expect(Number(third.headers.get('retry-after'))).to.be.within(1, 30)
      } finally {
        expect(await server.stop()).to.equal(0)
      }
    })

    it('refuses an invalid proxy and names it', async () => {
      const { exitCode, stderr } = await payctl(place, ['serve', '--trust-proxy', 'loopback,proxy.example'])
      expect(exitCode).to.equal(2)
      expect(stderr).to.match(/Expected loopback, an address or a network .* received: proxy.example/)
    })
  })
})
