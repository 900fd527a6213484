import { expect } from 'chai'
import { remoteSimulator } from '../../../src/gateways/simulator/remote-simulator.js'
import type { JsonObject } from '../../../src/schema/json.js'
import { Business } from '../../support/business.js'
import { consoleServer } from '../../support/console.js'
import { countOf, idOf, valuesOf } from '../../support/core.js'
import { onDatabases } from '../../support/databases.js'
import { pay } from '../../support/examples.js'
import { type Gate, gate } from '../../support/gate.js'
import { type RecordingGateway, recordingGateway } from '../../support/recording-gateway.js'
import { type OperatorVisit, operatorVisit, type Visited } from './operators-visit.js'

/** Lists that together show a new row after any write. */
const LISTS = ['/transactions', '/transaction_ledgers', '/events', '/admin/activity', '/admin/exceptions']

onDatabases((open) => {
  describe('a console form with manipulated fields', () => {
    let recording: RecordingGateway
    let business: Business
    let account: string
    let ada: OperatorVisit
    let bob: OperatorVisit
    let held: Gate<void> | undefined

    before(async () => {
      const inner = remoteSimulator()
      recording = recordingGateway({
        ...inner,
        async perform(operation) {
          await held?.enter()
          return await inner.perform(operation)
        },
      })
      business = await Business.open(open, { gateway: recording.gateway })
      account = await business.account({ duplicate_window: 0, risk_check_enabled: false })
      ada = operatorVisit(business.core.app, { role: 'manager', id: 'oper_ada' })
      bob = operatorVisit(business.core.app, { role: 'manager', id: 'oper_bob' })
    })
    beforeEach(() => {
      held = undefined
    })

    const take = async (amount = 100, more: JsonObject = {}) =>
      idOf(await pay(business.core, account, amount, more))
    const at = (id: string, action = 'refund') => `transactions/${id}/${action}`
    const preview = async (path: string, fields: Readonly<Record<string, string>> = {}, visit = ada) => {
      const form = await visit.get(path)
      return await visit.send(path, { ...form.fields, reason: 'Too large', ...fields })
    }
    const confirm = async (path: string, { fields }: Visited, more = {}, visit = ada) =>
      await visit.send(path, { ...fields, 'write.step': 'do', ...more })
    const refunds = async (id: string) =>
      (await business.ledger(id)).filter((entry) => entry.startsWith('refund'))
    const counts = async () => {
      const made: number[] = []
      for (const path of LISTS) made.push(await countOf(business.core, path))
      return made
    }

    it('refuses every invalid amount at its field, and accepts thousands separators as shown on pages', async () => {
      const id = await take(2000)
      const refused = [
        '',
        '0',
        '-1',
        '0.001',
        '1.000,00',
        '1,00',
        '1,0000',
        ',100',
        '1,,000',
        '1.5,000',
        '١٠',
        '１０',
        '$10',
        '10 000',
        '0x10',
        'Infinity',
        '1e400',
        '99999999999999999999',
        '10\u0000',
        '10;20',
      ]
      for (const amount of refused) {
        const shown = await preview(at(id), { amount })
        expect([shown.status, shown.fields['write.key']], amount).to.deep.equal([400, undefined])
        expect(shown.text, amount).to.include('id="field-amount-error"')
      }
      for (const [amount, label] of [
        ['1,000.00', '$1,000.00'],
        [' 1000 ', '$1,000.00'],
        ['1e3', '$1,000.00'],
        ['1,000', '$1,000.00'],
        ['1.000', '$1.00'],
      ] as const)
        expect((await preview(at(id), { amount })).text, amount).to.include(`>Refund ${label}</button>`)
      expect(await refunds(id)).to.deep.equal([])
    })

    it('has a preview that writes no row, leaves no activity, and calls no gateway', async () => {
      const [id, authorized] = [await take(), await take(80, { status: 'authorized' })]
      recording.takeRequests()
      const before = await counts()
      for (const [path, fields] of [
        [at(id), { amount: '50' }],
        [at(id, 'void'), {}],
        [at(authorized, 'capture'), { amount: '60' }],
        [at(authorized, 'void'), {}],
        [at(id, 'dispute'), { event: 'chargeback' }],
      ] as const) {
        const shown = await preview(path, fields)
        expect(shown.text, path).to.include('What will happen')
      }
      expect(await counts()).to.deep.equal(before)
      expect(recording.takeRequests()).to.deep.equal([])
    })

    it('writes no row through an address, whatever the address contains', async () => {
      const id = await take()
      const shown = await preview(at(id), { amount: '50' })
      const query = new URLSearchParams({ ...shown.fields, 'write.step': 'do' })
      const answer = await ada.get(`${at(id)}?${query}`)
      expect(answer.status).to.equal(200)
      expect(answer.fields).to.include({ amount: '50', 'write.step': 'preview' })
      expect(await refunds(id)).to.deep.equal([])
    })

    it('applies to the object of its address, and accepts only its own fields', async () => {
      const [id, other] = [await take(), await take()]
      const shown = await preview(at(id), { amount: '50' })
      const more = {
        id: other,
        transaction_id: other,
        'ledger[0][assoc_transaction_id]': other,
        type: 'credit',
        status: 'declined',
        fee: '40',
        processing_id: 'acct_other',
      }
      expect((await confirm(at(id), shown, more)).location).to.equal(`/console/test/transactions/${id}`)
      expect([await refunds(id), await refunds(other)]).to.deep.equal([['refund -50'], []])
    })

    it('is refused without a preview, and with the preview of another object or amount', async () => {
      const [id, other] = [await take(), await take()]
      const shown = await preview(at(id), { amount: '50' })
      expect((await confirm(at(other), shown)).status).to.equal(409)
      const { 'write.version': _version, ...unseen } = shown.fields
      expect((await confirm(at(id), { ...shown, fields: unseen })).text).to.include('What will happen')
      expect((await confirm(at(id), shown, { 'write.version': 'guessed' })).status).to.equal(409)
      for (const key of ['', 'mine', `req_${'x'.repeat(200)}`])
        expect((await confirm(at(id), shown, { 'write.key': key })).text).to.include('What will happen')
      expect([await refunds(id), await refunds(other)]).to.deep.equal([[], []])
    })

    it('is valid only for the operator who saw its preview: the key of the preview works for no one else', async () => {
      const id = await take()
      const shown = await preview(at(id), { amount: '50' })
      expect((await confirm(at(id), shown)).status).to.equal(303)
      expect((await confirm(at(id), shown, {}, bob)).status).to.equal(409)
      expect(await refunds(id)).to.deep.equal(['refund -50'])
      const lines = await business.core.ok('GET', '/admin/activity', undefined, {
        query: 'reason=Too large&order_by=-created_at&limit=1',
      })
      expect(valuesOf(lines)[0]).to.include({ operator_id: 'oper_ada' })
    })

    it('is refused after its payment was captured, voided or refunded at the terminal', async () => {
      for (const [action, before, body] of [
        ['refund', {}, { status: 'voided' }],
        ['capture', { status: 'authorized' }, { status: 'voided' }],
        ['void', { status: 'authorized' }, { status: 'processed' }],
        ['void', {}, 'refund'],
        ['refund', {}, 'refund'],
      ] as const) {
        const id = await take(100, before)
        const shown = await preview(at(id, action), action === 'void' ? {} : { amount: '50' })
        if (body === 'refund') await business.refund(id, 100)
        else await business.core.ok('PUT', `/transactions/${id}`, body)
        const ledger = await business.ledger(id)
        const refused = await confirm(at(id, action), shown)
        expect(refused.status, `${action} ${JSON.stringify(body)} ${refused.text}`).to.equal(409)
        expect(await business.ledger(id)).to.deep.equal(ledger)
      }
    })

    it('refunds once after a lost answer, however often it is repeated', async () => {
      const id = await take()
      const shown = await preview(at(id), { amount: '50' })
      const server = consoleServer(business.core.app, { role: 'manager', id: 'oper_ada' })
      // Closing the server does not wait for a request whose connection is lost, so the test waits for its answer.
      const answered = gate<void>()
      server.addHook('onSend', async () => void answered.enter())
      const address = await server.listen({ port: 0 })
      held = gate<void>()
      recording.takeRequests()
      const lost = new AbortController()
      const first = fetch(`${address}/console/test/${at(id)}`, {
        method: 'POST',
        body: new URLSearchParams({ ...shown.fields, 'write.step': 'do' }),
        signal: lost.signal,
      }).catch(() => 'lost')
      await held.entered
      lost.abort()
      expect(await first).to.equal('lost')
      const meanwhile = await confirm(at(id), shown)
      expect([meanwhile.status, meanwhile.location]).to.deep.equal([303, `/console/test/transactions/${id}`])
      held.open()
      await answered.entered
      await server.close()
      for (let times = 0; times < 2; times++) expect((await confirm(at(id), shown)).status).to.equal(303)
      expect(await refunds(id)).to.deep.equal(['refund -50'])
      expect(recording.takeRequests()).to.have.length(1)
    })
  })
})
