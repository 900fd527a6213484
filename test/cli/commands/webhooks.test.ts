import { once } from 'node:events'
import { writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { createInterface } from 'node:readline'
import { expect } from 'chai'
import { Webhook } from 'standardwebhooks'
import { Position } from '../../../src/cli/commands/webhooks/position.js'
import { onSqlite, type Place } from '../../support/databases.js'
import { openReceiver, type Receiver } from '../../support/receiver.js'
import { payctl, start } from './payctl.js'

const SECRET = 'whsec_MDEyMzQ1Njc4OTAxMjM0NTY3ODkwMTIzNDU2Nzg5MDE='

describe('payctl webhooks', () => {
  onSqlite((open) => {
    let place: Place
    let receiver: Receiver
    let webhook: string

    const run = async (...words: string[]) => await payctl(place, ['webhooks', ...words])
    const ok = async (...words: string[]) => {
      const { exitCode, stdout, stderr } = await run(...words)
      expect(exitCode, stderr).to.equal(0)
      return stdout
    }

    before(async () => {
      place = await open.place()
      receiver = await openReceiver()
      open.atEnd(() => receiver.close())
      const made = JSON.parse(await ok('create', '--trigger', 'payment', '--url', receiver.address, '--json'))
      webhook = String(made.id)
    })

    it('listen prints events as they happen, and forwards them with a signature', async () => {
      const local = await openReceiver()
      const words = ['webhooks', 'listen', '--forward-to', `${local.address}/hook`, '--json']
      const listening = start(place, words, { variables: { PAYCTL_WEBHOOK_SECRET: SECRET } })
      if (!listening.stdout) throw new Error('It has no output')
      const lines = createInterface(listening.stdout)
      // Earlier events are not shown: only those after the first read.
      let line = ''
      lines.once('line', (text) => {
        line = text
      })
      while (line === '') await ok('trigger', 'payment')
      const told = JSON.parse(line)
      expect(told).to.include({ trigger: 'payment', triggered_on_object: 'transaction' })
      while (local.received.length === 0) await ok('list', '--json')
      const [received] = local.received
      expect(received?.path).to.equal('/hook')
      expect(new Webhook(SECRET).verify(received?.body ?? '', received?.headers ?? {})).to.include({
        id: told.id,
        webhook_id: 'wh_listen',
      })
      const closed = once(listening, 'close')
      listening.kill('SIGINT')
      expect((await closed)[0]).to.equal(0)
      await local.close()
    })

    it('deliver sends notifications, logs shows them, replay sends them again', async () => {
      await ok('trigger', 'payment')
      await ok('deliver', '--once')
      const told = receiver.received.length
      expect(told).to.be.above(0)
      const { values } = JSON.parse(await ok('logs', webhook, '--limit', '1', '--json'))
      expect(values[0]).to.include({ webhook_id: webhook, http_status: 200, attempt: 1 })
      for (const id of [values[0].id, values[0].event_id]) {
        expect(JSON.parse(await ok('replay', id, '--json'))).to.include({ deliveries: 1 })
        await ok('deliver', '--once')
      }
      const ids = receiver.received.slice(told).map(({ headers }) => headers['webhook-id'])
      expect(ids).to.deep.equal([values[0].event_id, values[0].event_id])
      expect((await run('replay')).exitCode).to.equal(2)
    })

    it('disable and enable change the state', async () => {
      expect(JSON.parse(await ok('disable', webhook, '--json'))).to.include({ status: 'disabled' })
      expect((await run('replay', '--since', '2d', '--webhook', webhook)).exitCode).to.equal(3)
      expect(JSON.parse(await ok('enable', webhook, '--json'))).to.include({ status: 'enabled' })
    })

    it('verify-signature accepts a right signature and refuses a wrong or old signature', async () => {
      const body = join(place.home, 'body.json')
      const text = '{"a": "ü"}'
      writeFileSync(body, text)
      const at = new Date()
      const signature = new Webhook(SECRET).sign('evt_1', at, text)
      const seconds = (date: Date) => String(Math.floor(date.getTime() / 1000))
      const verify = async (id: string, timestamp: string, signed: string, ...more: string[]) => {
        const words = [
          'webhooks',
          'verify-signature',
          '--id',
          id,
          '--timestamp',
          timestamp,
          '--signature',
          signed,
        ]
        const input = `${SECRET}\n`
        return (await payctl(place, [...words, '--body', body, '--secret', '-', ...more], { input })).exitCode
      }
      expect(await verify('evt_1', seconds(at), `v1,bad ${signature}`)).to.equal(0)
      expect(await verify('evt_2', seconds(at), signature)).to.equal(3)
      const old = new Date(at.getTime() - 600_000)
      const signed = new Webhook(SECRET).sign('evt_1', old, text)
      expect(await verify('evt_1', seconds(old), signed)).to.equal(3)
      expect(await verify('evt_1', seconds(old), signed, '--any-age')).to.equal(0)
    })
  })

  it('listen resumes after the cursor of the last answer, and hides events from before its start', () => {
    const events = (...ids: string[]) => ids.map((id) => ({ id }))
    const position = new Position(1)
    expect(position.query()).to.deep.equal([['limit', '1000']])
    expect(position.take({ events: events('a', 'b', 'c'), next: '17.' })).to.deep.equal(events('c'))
    expect(position.query()).to.deep.equal([
      ['limit', '1000'],
      ['after', '17.'],
    ])
    expect(position.take({ events: events('b', 'late', 'd'), next: '18.' })).to.deep.equal(
      events('late', 'd'),
    )
  })

  it('listen filters events by trigger, except in the request for its start position', () => {
    const names = (position: Position) => position.query().map(([name]) => name)
    expect(names(new Position(1, 'refund'))).to.deep.equal(['limit', 'trigger'])
    const position = new Position(0, 'refund')
    expect(names(position)).to.deep.equal(['limit'])
    position.take({ events: [{ id: 'a' }], next: '17.' })
    expect(names(position)).to.deep.equal(['limit', 'after', 'trigger'])
  })
})
