import { expect } from 'chai'
import type { GatewayNotice } from '../../../src/gateways/contract.js'
import { peerNotices } from '../../../src/gateways/peer/peer-notices.js'
import { peerTransaction } from '../../../src/gateways/peer/peer-transaction.js'
import { idOf, objectOf, openCore, type TestCore, valuesOf } from '../../support/core.js'
import { onSqlite } from '../../support/databases.js'
import { makeProcessing, pay } from '../../support/examples.js'

const CREDENTIALS = { environment: 'test', baseUrl: 'https://peer.example.com', secrets: {} } as const

describe('disputes at a peer', () => {
  onSqlite((open) => {
    let core: TestCore
    before(async () => {
      core = await openCore(open)
    })
    const notices = peerNotices({
      async send({ method, path: address, body: sent }) {
        const [path = '', query = ''] = address.split('?')
        const { status, body } = await core.send(
          method,
          path,
          sent && objectOf(JSON.parse(JSON.stringify(sent))),
          {
            query,
          },
        )
        const text = JSON.stringify(body)
        return { kind: 'answered', status, headers: {}, body: text, bytes: text.length }
      },
      async read(address) {
        const [path = '', query = ''] = address.split('?')
        return await core.ok('GET', path, undefined, { query })
      },
      now: () => 0,
      async withId(id) {
        const found = peerTransaction(await core.ok('GET', `/transactions/${id}`))
        if (!found) throw new Error(`${id} is no transaction`)
        return found
      },
    })

    it('with the same amount are won separately', async () => {
      const payment = idOf(await pay(core, await makeProcessing(core), 10))
      const heard = new Map<string, Set<string>>()
      for (const event of ['chargeback', 'chargeback', 'dispute_won', 'dispute_won']) {
        await core.ok('POST', '/admin/simulate', {
          event,
          transaction_id: payment,
          ...(event === 'chargeback' && { amount: 4 }),
        })
        for (const notice of await toldOf(payment))
          if ('dispute' in notice)
            heard.set(notice.kind, (heard.get(notice.kind) ?? new Set()).add(notice.dispute))
      }
      expect(heard.get('chargeback')).to.have.property('size', 2)
      expect(heard.get('dispute_won')).to.deep.equal(heard.get('chargeback'))
    })

    it("take and return only the payment's money; an amount beyond it is the peer's own loss", async () => {
      const payment = idOf(await pay(core, await makeProcessing(core), 10))
      const ledger = [{ assoc_transaction_id: payment }]
      await core.ok('POST', '/transactions', { type: 'refund', amount: 7, ledger })
      for (const event of ['chargeback', 'dispute_won'])
        await core.ok('POST', '/admin/disputes', {
          event,
          transaction_id: payment,
          dispute: 'dp_1',
          ...(event === 'chargeback' && { amount: 10 }),
        })
      await core.ok('POST', '/transactions', { type: 'refund', amount: 3, ledger })
      await core.ok('POST', '/admin/disputes', {
        event: 'chargeback',
        transaction_id: payment,
        dispute: 'dp_2',
        amount: 10,
      })
      const told = await toldOf(payment)
      expect(told.map((notice) => 'amount' in notice && [notice.kind, notice.amount])).to.deep.equal([
        ['chargeback', 300],
        ['dispute_won', 300],
      ])
    })

    it('are answered if evidence was submitted, and not if they were accepted', async () => {
      for (const [verb, body, isAnswered] of [
        ['contest', { text: 'It was delivered' }, true],
        ['accept', {}, false],
      ] as const) {
        const payment = idOf(await pay(core, await makeProcessing(core), 10))
        await core.ok('POST', '/admin/simulate', { event: 'chargeback', transaction_id: payment })
        const [dispute = {}] = valuesOf(
          await core.ok('GET', '/disputes', undefined, { query: `transaction_id=${payment}` }),
        )
        await core.ok('POST', `/disputes/${idOf(dispute)}/${verb}`, body)
        const told = await notices.disputes?.read(
          { dispute: idOf(dispute), merchant: undefined },
          CREDENTIALS,
        )
        expect(
          told?.find(({ kind }) => kind === 'dispute'),
          verb,
        ).to.include({ isAnswered })
      }
    })

    /** Returns the notices about all disputes since a payment, in order, without states. */
    async function toldOf(payment: string) {
      const query = 'type=chargeback|chargeback_reversal&order_by=id&limit=1000'
      const rows = valuesOf(await core.ok('GET', '/transactions', undefined, { query })).map(idOf)
      const told = new Map<string, GatewayNotice>()
      for (const gatewayId of rows.filter((id) => id > payment)) {
        const notification = { id: gatewayId, type: 'payment', about: 'dispute', gatewayId, raw: '' } as const
        const all = (await notices.read?.(notification, CREDENTIALS)) ?? []
        // A won chargeback is read together with its reversal, which is also listed separately.
        for (const notice of all)
          if ('dispute' in notice && notice.kind !== 'dispute')
            told.set(`${notice.kind} ${notice.dispute}`, notice)
      }
      return [...told.values()]
    }
  })
})
