import { expect } from 'chai'
import type { AppEnvironment } from '../../../src/app.js'
import { owner } from '../../../src/engine/core/request/principal.js'
import type { JsonObject } from '../../../src/schema/json.js'
import type { Method } from '../../../src/schema/resource.js'
import { idOf, openCore, valuesOf } from '../../support/core.js'
import { onDatabases } from '../../support/databases.js'
import { processingAccount } from '../../support/examples.js'
import { type MailReceiver, openReceiver } from '../mail/mail-receiver.js'

describe('the notification of a payment link in live', () => {
  onDatabases((open) => {
    let now: number
    let live: AppEnvironment
    let receiver: MailReceiver
    let account: string
    let link: string

    const ok = async (method: Method, path: string, body?: JsonObject): Promise<JsonObject> => {
      const answer = await live.core.handle({ method, path, body, query: [], principal: owner })
      if (answer.status !== 200) throw new Error(`${path}: ${JSON.stringify(answer.body)}`)
      return answer.body
    }
    const send = async () => await live.sendMail(new AbortController().signal)
    const stateOf = async (receivedBy: string) => {
      const made = valuesOf(await ok('GET', `/payment_links/${link}/notifications`))
      return made.find(({ email }) => email === receivedBy) ?? {}
    }

    beforeEach(async () => {
      now = Date.UTC(2026, 10, 21, 15)
      const { app } = await openCore(open, { clock: { now: () => now }, mailLoopback: true })
      live = await app.environment('live')
      receiver = await openReceiver(open)
      account = idOf(await ok('POST', '/processing_accounts', processingAccount()))
      await ok('PUT', `/processing_accounts/${account}`, { processing: { status: 'active' } })
      await ok('POST', '/admin/mail_servers', {
        host: '127.0.0.1',
        port: receiver.port,
        security: 'none',
        from_address: 'billing@example.com',
      })
      link = idOf(
        await ok('POST', '/payment_links', {
          amount: 5,
          processing_id: account,
          customer: { name: 'Ada', email: 'ada@example.com' },
          email_customer: true,
        }),
      )
    })

    it('shows the error of the last attempt, and when the mail server accepted it', async () => {
      expect(await stateOf('ada@example.com')).to.include({ status: 'queued', problem: null, sent_at: null })
      receiver.refusal = { code: 451, text: 'Come back later' }
      await send()
      const refused = await stateOf('ada@example.com')
      expect(refused.status).to.equal('queued')
      expect(refused.problem).to.include('Come back later')
      now += 86_400_000
      receiver.refusal = undefined
      await send()
      expect(await stateOf('ada@example.com')).to.include({
        status: 'sent',
        problem: null,
        sent_at: '2026-11-22 15:00:00',
      })
      expect(receiver.taken).to.have.length(1)
      expect(receiver.taken[0]?.to).to.deep.equal(['ada@example.com'])
      expect(receiver.taken[0]?.raw).to.include(`/pay/${link}`)
    })

    it('is not mailed in a later attempt if the link is paid, closed or deleted by then', async () => {
      receiver.refusal = { code: 451, text: 'Come back later' }
      await send()
      await ok('PUT', `/payment_links/${link}`, { status: 'inactive' })
      receiver.refusal = undefined
      now += 86_400_000
      await send()
      expect(receiver.taken).to.deep.equal([])
      expect(await stateOf('ada@example.com')).to.include({
        status: 'dropped',
        problem: 'The payment link is inactive',
      })
      await ok('PUT', `/payment_links/${link}`, { status: 'active' })
      const [message] = valuesOf(await ok('GET', '/admin/mail_messages'))
      expect(message?.attempts).to.equal(2)
      await ok('POST', `/admin/mail_messages/${message?.id}/retry`)
      await send()
      expect(receiver.taken).to.have.length(1)
    })

    it('keeps hostile descriptions and names out of headers, markup and other recipients', async () => {
      const hostile = '<img src=x>\r\nBcc: thief@example.com\r\n\r\n.\r\nMAIL FROM:<x@example.com>\u202e&"'
      await ok('PUT', `/processing_accounts/${account}`, { name: hostile })
      await ok('PUT', `/payment_links/${link}`, { description: hostile })
      await send()
      expect(receiver.taken).to.have.length(1)
      const [{ to = [], headers = new Map(), raw = '' } = {}] = receiver.taken
      expect(to).to.deep.equal(['ada@example.com'])
      expect(headers.has('bcc')).to.equal(false)
      expect(headers.get('to')).to.equal('ada@example.com')
      const [heads = '', markup = ''] = raw.split('Content-Type: text/html')
      expect(heads)
        .to.include('multipart/alternative')
        .and.to.not.match(/^(Bcc|MAIL FROM):/m)
      expect(markup).to.include('img src').and.to.not.include('<img')
    })

    it('is not mailed after the link expires', async () => {
      await ok('PUT', `/payment_links/${link}`, { expires_at: '2026-11-21 16:00:00' })
      now += 3_600_000
      await send()
      expect(receiver.taken).to.deep.equal([])
      expect((await stateOf('ada@example.com')).problem).to.equal('The payment link is expired')
    })

    it('refuses addresses with several recipients or a header', async () => {
      const lies = [
        'a@example.com, b@example.com',
        'a@example.com\r\nBcc: b@example.com',
        'Ada <a@example.com>',
        '<a@example.com>',
        'a@example.com;b@example.com',
        'a b@example.com',
        'a@b@example.com',
        '"a@b"@example.com',
        'a@example.com\u0000',
        'a\u0001@example.com',
        'a@example',
        `${'a'.repeat(65)}@example.com`,
        'a@[127.0.0.1]',
      ]
      for (const email of lies) {
        const request = { method: 'POST', path: '/link_notifications', query: [], principal: owner } as const
        const { status, body } = await live.core.handle({
          ...request,
          body: { payment_link_id: link, email },
        })
        expect([status, body.details], email).to.deep.equal([400, { email: 'Must be valid email' }])
      }
      expect(valuesOf(await ok('GET', '/link_notifications'))).to.have.length(1)
    })

    it('reports that the mail server permanently refused the recipient, and the sealed books are valid', async () => {
      await send()
      receiver.refusal = { code: 550, text: 'No such person' }
      await ok('POST', '/link_notifications', { payment_link_id: link, email: 'nobody@example.com' })
      await send()
      const failed = await stateOf('nobody@example.com')
      expect(failed.status).to.equal('failed')
      expect(failed.problem).to.include('No such person')
      expect((await ok('GET', '/admin/verify')).findings).to.deep.equal([])
    })
  })
})
