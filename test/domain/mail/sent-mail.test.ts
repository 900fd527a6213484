import { expect } from 'chai'
import { type AppEnvironment, openApp } from '../../../src/app.js'
import { queueMail } from '../../../src/domain/mail-outbox/queue-mail.js'
import { owner } from '../../../src/engine/core/request/principal.js'
import type { Json, JsonObject } from '../../../src/schema/json.js'
import type { Method } from '../../../src/schema/resource.js'
import { idOf, openCore, type TestCore, valuesOf } from '../../support/core.js'
import { onDatabases } from '../../support/databases.js'
import { processingAccount } from '../../support/examples.js'
import { asOutsiderIn } from '../../support/outsider.js'
import { type MailReceiver, openReceiver } from './mail-receiver.js'

/** The start time of the tests, a Saturday. */
const START = Date.UTC(2026, 10, 21, 15)
const DAY = 86_400_000

describe('mail in live', () => {
  onDatabases((open) => {
    let core: TestCore
    let live: AppEnvironment
    let receiver: MailReceiver
    let account: string
    let customer: string
    let now: number
    beforeEach(async () => {
      now = START
      core = await openCore(open, { clock: { now: () => now }, mailLoopback: true })
      live = await core.app.environment('live')
      receiver = await openReceiver(open)
      account = idOf(await ok('POST', '/processing_accounts', processingAccount()))
      await ok('PUT', `/processing_accounts/${account}`, { processing: { status: 'active' } })
      const person = { name: 'Ada Park', email: 'ada@example.com', primary_processing_id: account }
      customer = idOf(await ok('POST', '/customers', person))
    })

    const request = async (method: Method, path: string, body?: Json, idempotencyKey?: string) =>
      await live.core.handle({ method, path, body, query: [], principal: owner, idempotencyKey })
    const ok = async (method: Method, path: string, body?: Json): Promise<JsonObject> => {
      const response = await request(method, path, body)
      if (response.status !== 200) throw new Error(`${path}: ${JSON.stringify(response.body)}`)
      return response.body
    }
    const mailOn = async (more: JsonObject = {}) =>
      idOf(
        await ok('POST', '/admin/mail_servers', {
          host: '127.0.0.1',
          port: receiver.port,
          security: 'none',
          from_address: 'billing@example.com',
          ...more,
        }),
      )
    const bill = async (due_date = '2026-12-20') =>
      await ok('POST', '/invoices', {
        customer_id: customer,
        due_date,
        items: [{ entry_type: 'charge', amount: 20 }],
      })
    const send = async () => await live.sendMail(new AbortController().signal)
    const messages = async () => valuesOf(await ok('GET', '/admin/mail_messages'))
    const message = async () => (await messages())[0] ?? {}

    it('is sent to the payer in plain text and HTML, in the name of the merchant', async () => {
      await mailOn({ reply_to: 'help@example.com' })
      const invoice = await bill()
      await send()
      const [mail, ...more] = receiver.taken
      expect(more).to.deep.equal([])
      expect(mail?.from).to.equal('billing@example.com')
      expect(mail?.to).to.deep.equal(['ada@example.com'])
      expect(Object.fromEntries(mail?.headers ?? [])).to.include({
        from: 'Park Books <billing@example.com>',
        to: 'ada@example.com',
        'reply-to': 'help@example.com',
        'auto-submitted': 'auto-generated',
        'message-id': `<invoice.${idOf(invoice)}.live@example.com>`,
      })
      expect(mail?.headers.get('content-type')).to.match(/^multipart\/alternative/)
      expect(mail?.headers.has('list-unsubscribe')).to.equal(false)
      expect(mail?.raw).to.include('Content-Type: text/plain').and.to.include('Content-Type: text/html')
      expect(mail?.raw).to.not.include('This is a test')
      expect(await message()).to.include({ status: 'sent', attempts: 1, problem: null })
    })

    it('signs in with the sealed password, which is never shown', async () => {
      receiver = await openReceiver(open, { signsIn: true })
      const id = await mailOn({ username: 'shop', password: 'a secret of the shop' })
      const shown = JSON.stringify(await ok('GET', `/admin/mail_servers/${id}`))
      expect(shown).to.include('"has_password":true').and.to.not.include('a secret')
      await bill()
      await send()
      expect(receiver.signedIn).to.deep.equal(['shop:a secret of the shop'])
      expect(receiver.taken).to.have.length(1)
    })

    it('needs the password again for another server or username', async () => {
      const id = await mailOn({ username: 'shop', password: 'a secret of the shop' })
      const changes: readonly JsonObject[] = [{ host: 'localhost' }, { port: 2_525 }, { username: 'other' }]
      for (const change of changes) {
        const { status, body } = await request('PUT', `/admin/mail_servers/${id}`, change)
        expect(status).to.equal(400)
        expect(body.details).to.have.property('password')
      }
      expect(await ok('PUT', `/admin/mail_servers/${id}`, { reminder_days: 7 })).to.include({
        has_password: true,
        reminder_days: 7,
      })
    })

    it('is not sent to a server that was changed outside of payctl', async () => {
      const thief = await openReceiver(open)
      await mailOn({ username: 'shop', password: 'a secret of the shop' })
      await bill()
      await asOutsiderIn('live', core.place, `update admin_mail_servers set port = ${thief.port}`)
      await send()
      expect([thief.taken, thief.signedIn]).to.deep.equal([[], []])
      expect(await message()).to.include({ status: 'queued' })
      expect((await message()).problem).to.be.a('string')
    })

    it('is retried with the same Message-ID, and abandoned after the last attempt', async () => {
      await mailOn()
      receiver.refusal = { code: 451, text: 'Come back later' }
      await bill()
      await send()
      expect(await message()).to.include({ status: 'queued', attempts: 1 })
      expect((await message()).problem).to.include('Come back later')
      await send()
      expect(await message()).to.include({ attempts: 1 })
      for (let attempt = 2; attempt <= 10; attempt++) {
        now += 2 * DAY
        await send()
      }
      expect(await message()).to.include({ status: 'failed', attempts: 10 })
      receiver.refusal = undefined
      await ok('POST', `/admin/mail_messages/${idOf(await message())}/retry`)
      await send()
      expect(await message()).to.include({ status: 'sent', problem: null })
    })

    it('is abandoned when the server permanently refuses its recipient', async () => {
      await mailOn()
      receiver.refusal = { code: 550, text: 'No such person' }
      await bill()
      await send()
      expect(await message()).to.include({ status: 'failed', attempts: 1 })
    })

    it('is sent again with the same Message-ID if its attempt was not recorded', async () => {
      await mailOn()
      const stopping = new AbortController()
      receiver.onMail = () => stopping.abort()
      await bill()
      await live.sendMail(stopping.signal)
      expect(await message()).to.include({ status: 'queued' })
      await send()
      expect(receiver.taken).to.have.length(1)
      now += 10 * 60_000
      await send()
      const ids = receiver.taken.map(({ headers }) => headers.get('message-id'))
      expect(ids).to.have.length(2)
      expect(new Set(ids).size).to.equal(1)
      expect(await message()).to.include({ status: 'sent' })
    })

    it('is sent once if several processes send it', async () => {
      await mailOn()
      for (let count = 0; count < 5; count++) await bill()
      const other = openApp({ ...core.place, clock: { now: () => now }, mailLoopback: true })
      open.atEnd(() => other.close())
      const beside = await other.environment('live')
      await Promise.all([send(), beside.sendMail(new AbortController().signal)])
      expect(receiver.taken).to.have.length(5)
      expect(new Set((await messages()).map(({ status }) => status))).to.deep.equal(new Set(['sent']))
    })

    it('is sent once, even if earlier messages use up most of its claim time', async () => {
      await mailOn()
      await bill()
      await bill()
      const other = openApp({ ...core.place, clock: { now: () => now }, mailLoopback: true })
      open.atEnd(() => other.close())
      const beside = await other.environment('live')
      receiver.onMail = () => {
        now += 299_000
        receiver.onMail = async () => {
          receiver.onMail = undefined
          now += 2_000
          await beside.sendMail(new AbortController().signal)
        }
      }
      await send()
      expect(receiver.taken).to.have.length(2)
      expect((await messages()).map(({ status }) => status)).to.deep.equal(['sent', 'sent'])
    })

    it('is sent only if its row is unchanged since payctl wrote it', async () => {
      await mailOn()
      await bill()
      await asOutsiderIn('live', core.place, "update admin_mail_messages set email = 'thief@example.com'")
      await send()
      await bill()
      const content = `content = '${JSON.stringify({ merchant: 'Park Books', subject: 'Pay here' })}'`
      const mine = `update admin_mail_messages set ${content} where email like 'ada%'`
      await asOutsiderIn('live', core.place, mine)
      await send()
      expect(receiver.taken).to.deep.equal([])
      const kept = await messages()
      expect(kept.map(({ status }) => status)).to.deep.equal(['queued', 'queued'])
      for (const { problem } of kept) expect(problem).to.include('Something other than payctl')
    })

    it('that tests the server is left to the request that queued it until its claim expires', async () => {
      await mailOn()
      const about = { kind: 'test', to: 'me@example.com', aboutId: 'ms_1', processingId: null } as const
      await live.core.write(async (work) => await queueMail(work, about))
      await send()
      expect(receiver.taken).to.deep.equal([])
      now += 300_000
      await send()
      expect(receiver.taken).to.have.length(1)
    })

    it('lets readers of reminders unsubscribe with one click', async () => {
      await mailOn()
      await bill('2026-11-30')
      await send()
      now = Date.UTC(2026, 10, 28, 15)
      await live.runOwnJobs()
      await send()
      const reminder = receiver.taken.at(-1)
      expect(reminder?.headers.get('list-unsubscribe')).to.match(
        /^<http:\/\/127\.0\.0\.1:4242\/unsubscribe\/live\/mail_\w+\?signature=[\w-]+>$/,
      )
      expect(reminder?.headers.get('list-unsubscribe-post')).to.equal('List-Unsubscribe=One-Click')
    })

    it('keeps hostile names out of headers and other recipients', async () => {
      await mailOn()
      const name = 'Park\r\nBcc: thief@example.com\r\n\r\n<thief@example.com>, "x'
      await ok('PUT', `/processing_accounts/${account}`, { name })
      await bill()
      await send()
      const [mail] = receiver.taken
      expect(mail?.to).to.deep.equal(['ada@example.com'])
      expect(mail?.headers.has('bcc')).to.equal(false)
      expect(mail?.headers.get('from')).to.match(/<billing@example\.com>$/)
      expect(mail?.headers.get('from')?.match(/@example/g)?.length).to.be.at.most(3)
    })

    it('reports at once whether a test message was accepted, and is sent again under the same key', async () => {
      const path = `/admin/mail_servers/${await mailOn()}/test`
      const test = async () => await request('POST', path, { to: 'me@example.com' }, 'test')
      receiver.refusal = { code: 550, text: 'No such person' }
      const { status, body } = await test()
      expect(status).to.equal(400)
      expect(JSON.stringify(body.details)).to.include('No such person')
      receiver.refusal = undefined
      expect((await test()).status).to.equal(200)
      expect(receiver.taken.map(({ to }) => to)).to.deep.equal([['me@example.com']])
    })

    it('seals no server setting that was changed outside of payctl', async () => {
      const id = await mailOn()
      const thief = await openReceiver(open)
      await asOutsiderIn('live', core.place, `update admin_mail_servers set port = ${thief.port}`)
      const known = { host: '127.0.0.1', from_address: 'billing@example.com' }
      const { body } = await request('PUT', `/admin/mail_servers/${id}`, known)
      expect(body.details).to.have.property('port')
      await ok('PUT', `/admin/mail_servers/${id}`, { ...known, port: receiver.port, security: 'none' })
      await ok('POST', `/admin/mail_servers/${id}/test`, { to: 'me@example.com' })
      expect([thief.taken.length, receiver.taken.length]).to.deep.equal([0, 1])
    })

    it('is not sent to private networks, or without encryption', async () => {
      const id = await mailOn()
      const problemAt = async (server: JsonObject) => {
        await ok('PUT', `/admin/mail_servers/${id}`, server)
        const { body } = await request('POST', `/admin/mail_servers/${id}/test`, { to: 'me@example.com' })
        return JSON.stringify(body.details)
      }
      expect(await problemAt({ host: '10.0.0.1' })).to.include('may not be reached')
      expect(await problemAt({ host: '169.254.169.254', security: 'starttls' })).to.include(
        'may not be reached',
      )
      // This server offers no encryption.
      const plain = { host: '127.0.0.1', port: receiver.port, security: 'starttls' }
      expect(await problemAt(plain)).to.match(/STARTTLS|TLS/)
      expect(receiver.taken).to.deep.equal([])
    })

    it('has one server, which needs a host: a new server replaces it and its password', async () => {
      const hostless = await request('POST', '/admin/mail_servers', { from_address: 'a@example.com' })
      expect(hostless.body.details).to.deep.equal({ host: 'Required' })
      await mailOn({ username: 'shop', password: 'a secret of the shop' })
      await mailOn()
      const servers = valuesOf(await ok('GET', '/admin/mail_servers'))
      expect(servers.map(({ has_password }) => has_password)).to.deep.equal([false])
    })
  })

  onDatabases((open) => {
    it('is not sent to a server on this machine unless that is allowed', async () => {
      const { app } = await openCore(open)
      const live = await app.environment('live')
      const receiver = await openReceiver(open)
      const server = {
        host: '127.0.0.1',
        port: receiver.port,
        security: 'none',
        from_address: 'billing@example.com',
      }
      const send = async (path: string, body: Json) =>
        await live.core.handle({ method: 'POST', path, body, query: [], principal: owner })
      const { body } = await send('/admin/mail_servers', server)
      const answer = await send(`/admin/mail_servers/${idOf(body)}/test`, { to: 'me@example.com' })
      expect(JSON.stringify(answer.body.details)).to.include('may not be reached')
      expect(receiver.taken).to.deep.equal([])
    })
  })
})
