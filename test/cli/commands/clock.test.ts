import { expect } from 'chai'
import type { JsonObject } from '../../../src/schema/json.js'
import { listOf, objectOf } from '../../support/core.js'
import { onDatabases, type Place } from '../../support/databases.js'
import { startServer } from '../../support/server-process.js'
import { payctl } from './payctl.js'

onDatabases((open) => {
  describe('payctl clock', () => {
    let place: Place
    before(async () => {
      place = await open.place()
    })
    const json = async (...words: string[]) =>
      objectOf(JSON.parse((await payctl(place, [...words, '--json'])).stdout))

    it('shows, sets and advances the clock of other commands', async () => {
      expect(await json('clock', 'show')).to.include({ object: 'clock', offset: 0 })
      expect((await json('clock', 'set', '2040-01-31')).now).to.match(/^2040-01-31 00:\d\d:\d\d$/)
      expect((await json('clock', 'advance', '1mo')).now).to.match(/^2040-02-29 00:\d\d:\d\d$/)
      expect(await json('clock', 'advance', '--to', '2040-12-24 18:00')).to.deep.include({ done: [] })
      const customer = await json('customers', 'create', '--name', 'Ann', '--email', 'ann@example.com')
      expect(customer.created_at).to.match(/^2040-12-24 18:/)
      expect(await json('clock', 'set', 'real')).to.include({ offset: 0 })
    })

    it('is the base of relative dates in filters', async () => {
      const bea = ['--where', 'name=Bea', '--fields', 'name']
      const listed = async () => {
        const { values } = await json('customers', 'list', '--where', 'created_at=>2d', ...bea)
        return listOf(values)
      }
      await json('clock', 'set', '2036-01-31')
      await json('customers', 'create', '--name', 'Bea', '--email', 'bea@example.com')
      await json('clock', 'advance', '1d')
      expect(await listed()).to.deep.equal([{ name: 'Bea' }])
      await json('clock', 'advance', '2d')
      expect(await listed()).to.deep.equal([])
    })

    it('is shared by a serving process and commands, as soon as one of them has moved the clock', async () => {
      const { secret_key: key } = await json('keys', 'create', '--manage')
      const server = await startServer(place)
      const ask = async (method: string, path: string, body?: JsonObject) => {
        const headers = { authorization: `Bearer ${key}`, 'content-type': 'application/json' }
        const response = await fetch(`${server.address}${path}`, {
          method,
          headers,
          body: JSON.stringify(body),
        })
        return objectOf(JSON.parse(await response.text()))
      }
      const newCustomer = () => ask('POST', '/customers', { name: 'Ann', email: 'ann@example.com' })
      try {
        for (const year of ['2031', '2029']) {
          await newCustomer()
          await json('clock', 'set', `${year}-06-01`)
          expect((await newCustomer()).created_at).to.match(new RegExp(`^${year}-06-01 00:`))
        }
        await ask('POST', '/admin/clock', { to: '2033-03-03' })
        expect((await json('clock', 'show')).now).to.match(/^2033-03-03 00:/)
      } finally {
        expect(await server.stop()).to.equal(0)
      }
    })

    it('makes a serving process run due work after the clock was set', async () => {
      const card = ['--card', '4242424242424242', '--expiry', '12/39', '--amount', '5']
      const { id } = await json('transactions', 'pay', ...card, '--authorize')
      const server = await startServer(place)
      try {
        await json('clock', 'set', '2038-01-01')
        const status = async () => (await json('transactions', 'get', String(id))).status
        while ((await status()) === 'authorized');
        expect(await status()).to.equal('voided')
      } finally {
        expect(await server.stop()).to.equal(0)
      }
    })

    it('shows the time with its zone', async () => {
      const { stdout } = await payctl(place, ['clock', 'show'])
      expect(stdout).to.match(/^now \(UTC\) {3}20\d\d-\d\d-\d\d \d\d:\d\d:\d\d\n/)
    })

    it('refuses to move the clock of live', async () => {
      for (const words of [
        ['clock', 'set', '2040-01-31'],
        ['clock', 'advance', '1d'],
      ]) {
        const { exitCode, stderr } = await payctl(place, [...words, '--env', 'live'])
        expect(exitCode).to.equal(4)
        expect(stderr).to.include('The clock of the live environment shows the real time and is never moved')
      }
    })

    it('requires a duration or a target time', async () => {
      for (const words of [
        ['clock', 'advance'],
        ['clock', 'advance', '1d', '--to', '2040-12-24'],
      ]) {
        const { exitCode, stderr } = await payctl(place, words)
        expect(exitCode).to.equal(2)
        expect(stderr).to.include('Say how far, as in clock advance 1mo, or until when with --to')
      }
    })
  })
})
