import { expect } from 'chai'
import type {
  Credentials,
  GatewayMethod,
  GatewayOperation,
  GivenToken,
} from '../../../src/gateways/contract.js'
import { UnknownOutcome } from '../../../src/gateways/unknown-outcome.js'
import { CHECKED } from '../contract/checked-gateway.js'
import { KEPT } from './authorizenet-profiles.js'
import type { Fault } from './authorizenet-server.js'
import { type ConnectedRail, connectedRail, on, payment, rejection } from './connected-rail.js'

describe('the rail to Authorize.Net', () => {
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

  describe('for an answer of the gateway', () => {
    it('answers an approved payment with all its facts', async () => {
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
      it(`declines with ${statusCode} for the reason code ${code}`, async () => {
        const sale = payment()
        connected.server.books.reasons.set('0015', code)
        const declined = { result: 'declined', statusCode, code, ...(isHard && { isHard }) }
        expect(await perform(sale)).to.include(declined)
        // With reason code 33, the request is refused before there is a transaction.
        if (code === '33') expect(await find(sale)).to.equal('never_seen')
        else expect(await find(sale)).to.include(declined)
        expect(connected.server.books.taken).to.equal(0)
      })
    }

    it('answers that it is misconfigured with wrong credentials, in test mode, or if the account is not set up', async () => {
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

  describe('after a fault', () => {
    const unknown: readonly (readonly [Fault, boolean])[] = [
      ['mixed_up', true],
      ['system_error', false],
    ]
    for (const [fault, isDone] of unknown) {
      it(`does not know the outcome after the fault ${fault}, and finds it later`, async () => {
        const sale = payment()
        connected.server.faults.push(fault)
        expect(await rejection(perform(sale))).to.be.instanceOf(UnknownOutcome)
        const found = await find(sale)
        if (isDone) expect(found).to.include({ result: 'approved', amount: 2999 })
        else expect(found).to.equal('never_seen')
        expect(connected.server.books.taken).to.equal(isDone ? 2999 : 0)
      })
    }

    it('does not know the outcome if no answer comes in time', async () => {
      const sale = payment()
      connected.server.faults.push('silent')
      const slow = connected.impatient(2_000).perform(sale, connected.credentials)
      expect(await rejection(slow)).to.be.instanceOf(UnknownOutcome)
      expect(await find(sale)).to.include({ result: 'approved' })
    })

    it('answers that the payment was not sent if the endpoint is busy or not reachable', async () => {
      connected.server.faults.push('busy')
      expect(await perform(payment())).to.include({ result: 'not_sent' })
      const closed = { ...connected.credentials, baseUrl: 'http://127.0.0.1:1' }
      expect(await connected.rail.perform(payment(), closed)).to.include({ result: 'not_sent' })
    })

    it('answers that the payment was not sent if there are too many requests, with the time to wait', async () => {
      const sale = payment()
      connected.server.faults.push('too_many')
      expect(await perform(sale)).to.include({ result: 'not_sent', isReached: true, retryAfter: 7 })
      expect(connected.server.books.transactions.size).to.equal(0)
      expect(await perform(sale)).to.include({ result: 'approved', amount: 2999 })
    })

    it('rejects a query without an answer', async () => {
      const sale = payment()
      await perform(sale)
      connected.server.faults.push('unavailable')
      expect(await rejection(find(sale))).to.be.instanceOf(UnknownOutcome)
    })
  })

  describe('has profiles that', () => {
    const nonce = () => {
      const { nonces } = connected.server
      const made = nonces.make({ cardNumber: '4111111111111111', expirationDate: '2039-12', cardCode: '123' })
      return `${made.dataDescriptor}/${made.dataValue}`
    }
    const typed = (more: Partial<GatewayMethod> = {}): GatewayMethod => ({
      type: 'card',
      number: '',
      token: nonce(),
      ...more,
    })
    const describeToken = (token: string, more: Partial<GivenToken> = {}) =>
      connected.rail.describe?.({ type: 'card', token, isFromPage: false, ...more }, connected.credentials)

    it('are made by a payment whose card is kept, described with the expiry, and charged again', async () => {
      const first = await perform(payment({ method: typed() }))
      if (first.result !== 'approved') throw new Error(JSON.stringify(first))
      expect(first.method).to.deep.equal({ brand: 'visa', lastFour: '1111', expiry: '12/39' })
      const method: GatewayMethod = { type: 'card', number: '', token: first.token ?? '', isStored: true }
      expect(await perform(payment({ method }))).to.include({ result: 'approved' })
      expect(await describeToken(first.token ?? '')).to.include({ expiry: '12/39' })
    })

    it('are found together with a payment whose answer was lost', async () => {
      const sale = payment({ method: typed() })
      connected.server.faults.push('mixed_up')
      expect(await rejection(perform(sale))).to.be.instanceOf(UnknownOutcome)
      expect(await find(sale))
        .to.have.property('token')
        .that.matches(/^\d+\/\d+$/)
    })

    it('are not made for a card that is used once, or that is declined', async () => {
      const before = connected.server.profiles.made.size
      const once = await perform(payment({ method: typed({ isKept: false }) }))
      expect(once).to.include({ result: 'approved' }).and.not.have.property('token')
      connected.server.books.reasons.set('1111', '2')
      expect(await perform(payment({ method: typed() }))).to.include({ result: 'declined' })
      expect(connected.server.profiles.made.size).to.equal(before)
    })

    it('are made by an approved payment, even if the expiry cannot be read', async () => {
      const sale = payment({ method: typed() })
      const { requests, faults } = connected.server
      const failing = connected.watched(() => {
        if (requests.at(-1)?.name === 'createTransactionRequest') faults.push('unavailable')
      })
      const paid = await failing.perform(sale, connected.credentials)
      expect(paid).to.deep.include({ result: 'approved', method: { brand: 'visa', lastFour: '1111' } })
    })

    it('are described if they exist, but not to pages', async () => {
      const known = { brand: 'visa', lastFour: '1111', expiry: '12/39' }
      expect(await describeToken(KEPT)).to.deep.equal(known)
      expect(await describeToken(KEPT, { isFromPage: true })).to.equal(undefined)
      expect(await describeToken(KEPT, { type: 'bank_account' })).to.equal(undefined)
      for (const token of ['1/2', 'cus_1', '']) expect(await describeToken(token)).to.equal(undefined)
      expect(await describeToken(nonce(), { isFromPage: true })).to.deep.equal({})
      connected.server.faults.push('too_many')
      expect(await rejection(describeToken(KEPT) ?? Promise.resolve())).to.be.instanceOf(UnknownOutcome)
    })

    it('are described if a card is saved without a payment', async () => {
      const consent = { text: 'They may charge it.', givenAt: 0 }
      const saving = { reference: 'pm_of_a_page_1234567890', method: typed(), consent }
      const stored = await connected.rail.store?.(saving, connected.credentials)
      expect(stored).to.deep.include({
        result: 'approved',
        method: { brand: 'visa', lastFour: '1111', expiry: '12/39' },
      })
    })
  })

  describe('for captures, voids and refunds', () => {
    it('voids before settlement, and declines with `already_settled` afterwards', async () => {
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

    it('answers the captured amount for a capture or a void that comes too late', async () => {
      const held = payment({ type: 'authorize' })
      const id = await idOf(held)
      expect(await perform(on(held, id, { type: 'capture', amount: 900 }))).to.include({ amount: 900 })
      expect(await perform(on(held, id, { type: 'capture' }))).to.include({ result: 'approved', amount: 900 })
      connected.server.books.settle()
      expect(await perform(on(held, id, { type: 'void' }))).to.include({
        statusCode: 'already_settled',
        captured: 900,
      })
    })

    it('refunds after settlement, in parts, up to the amount, and each refund once', async () => {
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

    it('sends no refund if it cannot read the payment', async () => {
      const sale = payment()
      const id = await idOf(sale)
      expect(await perform(on(sale, null, { type: 'refund' }))).to.include({ result: 'not_sent' })
      connected.server.faults.push('lost_before')
      expect(await perform(on(sale, id, { type: 'refund' }))).to.include({ result: 'not_sent' })
      expect(await perform(on(sale, '1', { type: 'refund' }))).to.include({ result: 'declined' })
    })

    it('refunds a payment by bank account, and sends a credit without a payment', async () => {
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
