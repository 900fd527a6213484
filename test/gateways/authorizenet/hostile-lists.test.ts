import { expect } from 'chai'
import { authorizenetRail } from '../../../src/gateways/authorizenet/authorizenet-rail.js'
import type { Credentials } from '../../../src/gateways/contract.js'
import type { RailClient } from '../../../src/platform/network/rail-client.js'
import { type Json, type JsonObject, parsedJson } from '../../../src/schema/json.js'
import { isTree } from '../../../src/schema/types.js'
import { payment, rejection } from './connected-rail.js'

const NOW = Date.UTC(2026, 10, 22, 12)
const OK = { messages: { resultCode: 'Ok', message: [{ code: 'I00001', text: 'Successful.' }] } }
const NONE = { messages: { resultCode: 'Ok', message: [{ code: 'I00004', text: 'No records found.' }] } }
const DUPLICATE: JsonObject = {
  ...OK,
  transactionResponse: { responseCode: '3', errors: [{ errorCode: '11' }] },
}
const CREDENTIALS: Credentials = {
  environment: 'live',
  baseUrl: 'https://anet.example',
  secrets: { login_id: 'a', transaction_key: 'b' },
}

describe('the rail to an Authorize.Net with arbitrary answers', () => {
  /** The rail with an endpoint that answers by the name of a request and the number of earlier requests. */
  const railOver = (answers: (name: string, count: number) => Json) => {
    let count = 0
    const http: RailClient = {
      async send({ body = '' }) {
        const request = parsedJson(String(body))
        const [name = ''] = isTree(request) ? Object.keys(request) : []
        const text = JSON.stringify(answers(name, count++))
        return { kind: 'answered', status: 200, headers: {}, body: text, bytes: text.length }
      },
      close: async () => undefined,
    }
    return { rail: authorizenetRail({ http, now: () => NOW }), sent: () => count }
  }

  it('answers `never_seen` for a payment only if the lists are declared to be empty', async () => {
    const find = async (unsettled: Json, batches: Json) => {
      const { rail } = railOver((name) =>
        name === 'getUnsettledTransactionListRequest' ? unsettled : batches,
      )
      return await rejection(rail.find(payment(), { since: NOW }, CREDENTIALS))
    }
    expect(await find(NONE, NONE)).to.deep.equal({ resolved: 'never_seen' })
    expect(await find({ ...OK, totalNumInResultSet: 0 }, NONE)).to.deep.equal({ resolved: 'never_seen' })
    for (const none of [
      OK,
      { ...OK, transactions: {} },
      { ...OK, transactions: [], totalNumInResultSet: null },
      { ...OK, transactions: 'none', totalNumInResultSet: [] },
      { ...OK, transactions: [], totalNumInResultSet: 'NaN' },
      { ...NONE, totalNumInResultSet: -1 },
    ])
      expect(await find(none, NONE), JSON.stringify(none)).to.have.property('name', 'UnknownOutcome')
    for (const none of [OK, { ...OK, batchList: {} }, { ...OK, batchList: [7] }])
      expect(await find(NONE, none), JSON.stringify(none)).to.have.property('name', 'UnknownOutcome')
  })

  it('stops reading endless lists while a client waits', async () => {
    const text = 'x'.repeat(1_000)
    const rows = (page: number) =>
      Array.from({ length: 1_000 }, (_, row) => ({ transId: `${page}-${row}`, text }))
    const { rail, sent } = railOver((name, count) =>
      name === 'createTransactionRequest'
        ? DUPLICATE
        : { ...OK, transactions: rows(count), totalNumInResultSet: 1_000 * (count + 1) },
    )
    expect(await rejection(rail.perform(payment(), CREDENTIALS))).to.have.property('name')
    expect(sent()).to.be.below(50)
  })

  it('does not give a payment the outcome of another payment', async () => {
    const sale = payment()
    const { rail } = railOver((name) =>
      name === 'getUnsettledTransactionListRequest'
        ? {
            ...OK,
            transactions: [{ transId: '7', invoiceNumber: sale.refNumber ?? '' }],
            totalNumInResultSet: 1,
          }
        : {
            ...OK,
            transaction: {
              transId: '7',
              transactionType: 'authCaptureTransaction',
              transactionStatus: 'settledSuccessfully',
              settleAmount: 29.99,
              order: { description: 'A book ref:txn_of_another' },
            },
          },
    )
    expect(await rail.find(sale, { since: NOW }, CREDENTIALS)).to.equal('cannot_say')
  })

  it('omits a returned payment whose id cannot be stored', async () => {
    const { rail } = railOver((name) =>
      name === 'getSettledBatchListRequest'
        ? { ...OK, batchList: [{ batchId: '1', settlementTimeUTC: '2026-11-01T00:00:00Z' }] }
        : {
            ...OK,
            transactions: ['x'.repeat(100_000), 'a\0b', '60000000001'].map((transId) => ({
              transId,
              hasReturnedItems: true,
            })),
            totalNumInResultSet: 3,
          },
    )
    const listed = await rail.notifications?.(null, CREDENTIALS)
    expect(listed?.notifications.map(({ gatewayId }) => gatewayId)).to.deep.equal(['60000000001'])
  })
})
