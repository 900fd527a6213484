import { expect } from 'chai'
import type { AppEnvironment } from '../../../src/app.js'
import { owner } from '../../../src/engine/core/request/principal.js'
import type { JsonObject } from '../../../src/schema/json.js'
import type { Method } from '../../../src/schema/resource.js'
import { idOf, openCore, valuesOf } from '../../support/core.js'
import { onEachDatabase } from '../../support/databases.js'
import { processingAccount } from '../../support/examples.js'
import { type MailReceiver, openReceiver } from '../mail/mail-receiver.js'

describe('the notification of a payment link in live', () => {
  onEachDatabase((open) => {
    let now: number
    let live: AppEnvironment
    let receiver: MailReceiver
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
      const account = idOf(await ok('POST', '/processing_accounts', processingAccount()))
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

    it('says why the last attempt failed, and when the mail server took it', async () => {
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

    it('says that the mail server refused its receiver for good, and verify finds the books in order', async () => {
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
