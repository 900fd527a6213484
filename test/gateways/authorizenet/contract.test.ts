import { expect } from 'chai'
import type { Credentials, GatewayOperation } from '../../../src/gateways/contract.js'
import { UnknownOutcome } from '../../../src/gateways/unknown-outcome.js'
import { CHECKED } from '../contract/checked-gateway.js'
import type { Fault } from './authorizenet-server.js'
import { type ConnectedRail, connectedRail, on, payment, rejection } from './connected-rail.js'

describe('the contract of authorizenet', () => {
  let connected: ConnectedRail

  beforeEach(async () => {
    connected = await connectedRail()
  })
  afterEach(() => connected.stop())

  const perform = (operation: GatewayOperation) => connected.rail.perform(operation, connected.credentials)
  const find = (operation: GatewayOperation) =>
    connected.rail.find(operation, { since: connected.server.time }, connected.credentials)
  const idOf = async (operation: GatewayOperation) => {
    const outcome = await perform(operation)
    if (outcome.result !== 'approved') throw new Error(JSON.stringify(outcome))
    return outcome.gatewayId
  }

  describe('what the gateway says', () => {
    it('approves', async () => {
      expect(await perform(payment())).to.deep.equal({
        result: 'approved',
        amount: 2999,
        gatewayId: '60000000001',
        code: '1',
        authCode: 'HH5414',
        avs: 'street_and_zip',
        cvv: 'match',
        networkId: '123456789NNNH',
        method: { brand: 'visa', lastFour: '0015' },
      })
      expect(connected.server.books.taken).to.equal(2999)
    })

    const declines = [
      ['2', 'general_decline', false],
      ['4', 'general_decline', true],
      ['8', 'card_expired', true],
      ['6', 'invalid_card_number', true],
      ['44', 'invalid_card_code', true],
      ['27', 'invalid_zip', true],
      ['251', 'suspicious_activity', true],
      ['49', 'exceeded_limit', false],
      ['28', 'method_not_accepted', true],
      ['19', 'processing_error', false],
      ['33', 'declined', false],
      ['7777', 'declined', false],
    ] as const
    for (const [code, statusCode, isHard] of declines) {
      it(`declines by reason ${code}: ${statusCode}`, async () => {
        const sale = payment()
        connected.server.books.reasons.set('0015', code)
        const declined = { result: 'declined', statusCode, code, ...(isHard && { isHard }) }
        expect(await perform(sale)).to.include(declined)
        // 33 is refused before it is a transaction.
        if (code === '33') expect(await find(sale)).to.equal('never_seen')
        else expect(await find(sale)).to.include(declined)
        expect(connected.server.books.taken).to.equal(0)
      })
    }

    it('refuses wrong credentials, an account in test mode, and one that is not set up', async () => {
      const { rail, credentials, server } = connected
      const secrets = { ...credentials.secrets, transaction_key: 'wrong' }
      expect(await rail.perform(payment(), { ...credentials, secrets })).to.include({
        result: 'misconfigured',
      })
      for (const [code, scope] of [
        ['13', 'gateway'],
        ['18', 'bank_account'],
        ['56', 'card'],
      ] as const) {
        server.books.reasons.set('0015', code)
        expect(await perform(payment())).to.include({ result: 'misconfigured', scope })
      }
      server.isTestMode = true
      expect(await perform(payment())).to.include({ result: 'misconfigured' })
      const failed = async (given: Credentials) =>
        (await rail.check?.(CHECKED, given))?.filter(({ state }) => state === 'failed')
      expect(await failed(credentials)).to.deep.equal([
        { name: 'charges', state: 'failed', found: 'It is in test mode: it charges nobody' },
      ])
      server.isTestMode = false
      expect(await failed(credentials)).to.deep.equal([])
      expect((await failed({ ...credentials, secrets }))?.map(({ name }) => name)).to.deep.equal(['account'])
      expect(
        await rail.perform(payment(), { ...credentials, baseUrl: `${credentials.baseUrl}/other` }),
      ).to.include({
        result: 'misconfigured',
      })
    })
  })

  describe('what goes wrong', () => {
    const unknown: readonly (readonly [Fault, boolean])[] = [
      ['mixed_up', true],
      ['system_error', false],
    ]
    for (const [fault, isDone] of unknown) {
      it(`does not know the outcome when ${fault}, and finds it`, async () => {
        const sale = payment()
        connected.server.faults.push(fault)
        expect(await rejection(perform(sale))).to.be.instanceOf(UnknownOutcome)
        const found = await find(sale)
        if (isDone) expect(found).to.include({ result: 'approved', amount: 2999 })
        else expect(found).to.equal('never_seen')
        expect(connected.server.books.taken).to.equal(isDone ? 2999 : 0)
      })
    }

    it('does not know the outcome when no answer comes in time', async () => {
      const sale = payment()
      connected.server.faults.push('silent')
      const slow = connected.impatient(50).perform(sale, connected.credentials)
      expect(await rejection(slow)).to.be.instanceOf(UnknownOutcome)
      expect(await find(sale)).to.include({ result: 'approved' })
    })

    it('was not sent when nobody listens or it is too busy', async () => {
      connected.server.faults.push('busy')
      expect(await perform(payment())).to.include({ result: 'not_sent' })
      const closed = { ...connected.credentials, baseUrl: 'http://127.0.0.1:1' }
      expect(await connected.rail.perform(payment(), closed)).to.include({ result: 'not_sent' })
    })

    it('rejects a question without an answer', async () => {
      const sale = payment()
      await perform(sale)
      connected.server.faults.push('unavailable')
      expect(await rejection(find(sale))).to.be.instanceOf(UnknownOutcome)
    })
  })

  describe('captures, voids and refunds', () => {
    it('voids before settlement, and says afterwards that it is settled', async () => {
      const { books } = connected.server
      const sale = payment()
      const id = await idOf(sale)
      const cancel = on(sale, id, { type: 'void' })
      expect(await perform(cancel)).to.include({ result: 'approved', amount: 2999 })
      expect(await perform(cancel)).to.include({ result: 'approved', code: '310' })
      expect(await find(cancel)).to.include({ result: 'approved' })
      expect(await find(sale)).to.include({ result: 'declined', code: 'voided' })
      expect(books.taken).to.equal(0)

      const other = payment()
      const late = on(other, await idOf(other), { type: 'void' })
      books.settle()
      expect(await perform(late)).to.include({ result: 'declined', statusCode: 'already_settled' })
      expect(books.taken).to.equal(2999)
    })

    it('refunds after settlement, by parts, no more than there was, and each once', async () => {
      const { books } = connected.server
      const sale = payment()
      const id = await idOf(sale)
      const refund = on(sale, id, { type: 'refund', amount: 1000 })
      expect(await perform(refund)).to.include({ result: 'declined', statusCode: 'not_settled' })
      books.settle()
      expect(await perform(refund)).to.include({ result: 'approved', amount: 1000 })
      expect(await perform(refund)).to.include({ result: 'approved', amount: 1000 })
      expect(books.taken).to.equal(1999)
      expect(await perform(on(sale, id, { type: 'refund', amount: 1000 }))).to.include({ result: 'approved' })
      expect(await perform(on(sale, id, { type: 'refund', amount: 1000 }))).to.include({
        result: 'declined',
        statusCode: 'exceeded_limit',
      })
      expect(books.taken).to.equal(999)
    })

    it('sends no refund while it does not know the payment', async () => {
      const sale = payment()
      const id = await idOf(sale)
      expect(await perform(on(sale, null, { type: 'refund' }))).to.include({ result: 'not_sent' })
      connected.server.faults.push('lost_before')
      expect(await perform(on(sale, id, { type: 'refund' }))).to.include({ result: 'not_sent' })
      expect(await perform(on(sale, '1', { type: 'refund' }))).to.include({ result: 'declined' })
    })

    it('refunds a bank account, and gives credit without a payment', async () => {
      const { books } = connected.server
      const method = {
        type: 'bank_account',
        number: '123456789',
        routing: '121042882',
        holder: 'John Doe',
      } as const
      const debit = payment({ method })
      const id = await idOf(debit)
      books.settle()
      expect(await perform(on(debit, id, { type: 'refund' }))).to.include({ result: 'approved' })
      expect(await perform(payment({ type: 'credit', amount: 500 }))).to.include({
        result: 'approved',
        amount: 500,
      })
      expect(books.taken).to.equal(-500)
    })
  })
})
