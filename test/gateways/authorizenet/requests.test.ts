import { expect } from 'chai'
import type { GatewayOperation } from '../../../src/gateways/contract.js'
import type { Input } from '../../../src/schema/types.js'
import { type ConnectedRail, connectedRail, on, payment } from './connected-rail.js'

describe('a request to Authorize.Net', () => {
  let connected: ConnectedRail

  beforeEach(async () => {
    connected = await connectedRail()
  })
  afterEach(() => connected.stop())

  /** The requests that an operation sends, without the credentials. */
  const sent = async (operation: GatewayOperation): Promise<readonly Input[]> => {
    const before = connected.server.requests.length
    await connected.rail.perform(operation, connected.credentials)
    return connected.server.requests.slice(before).map(({ name, fields }) => ({ [name]: fields }))
  }
  const idOf = async (operation: GatewayOperation) => {
    await connected.rail.perform(operation, connected.credentials)
    return [...connected.server.books.transactions.keys()].at(-1)
  }

  it('contains all known facts of a card payment', async () => {
    const sale = payment({ orderNumber: '1001', description: 'Bread & butter <fresh>' })
    const order = { tax: 150, shipping: 500 }
    expect(await sent({ ...sale, order })).to.deep.equal([
      {
        createTransactionRequest: {
          refId: sale.refNumber,
          transactionRequest: {
            transactionType: 'authCaptureTransaction',
            amount: '29.99',
            payment: {
              creditCard: { cardNumber: '5424000000000015', expirationDate: '2029-12', cardCode: '999' },
            },
            order: {
              invoiceNumber: sale.refNumber,
              description: `1001 Bread butter fresh ref:${sale.reference}`,
            },
            tax: { amount: '1.50' },
            shipping: { amount: '5.00' },
            billTo: {
              firstName: 'Ellen Mary',
              lastName: 'Johnson',
              address: '14 Main Street',
              city: 'Pecan Springs',
              state: 'TX',
              zip: '44628',
              country: 'US',
            },
            transactionSettings: {
              setting: [
                { settingName: 'allowPartialAuth', settingValue: 'false' },
                { settingName: 'duplicateWindow', settingValue: '28800' },
              ],
            },
            processingOptions: { isFirstSubsequentAuth: 'true' },
          },
        },
      },
    ])
  })

  it('names the first payment, for a payment by standing consent', async () => {
    const consent = payment({ initiator: 'consent' })
    const card = { ...consent.method, type: 'card', number: '5424000000000015' } as const
    const method = { ...card, networkId: 'NNNH', networkAmount: 4500 }
    const [request] = await sent({ ...consent, method })
    expect(JSON.stringify(request)).to.include(
      '{"settingName":"recurringBilling","settingValue":"true"}]},' +
        '"processingOptions":{"isSubsequentAuth":"true"},' +
        '"subsequentAuthInformation":{"originalNetworkTransId":"NNNH","originalAuthAmount":"45.00"}',
    )
  })

  it("tells whether the card of a payer's payment is stored now, was stored before, or is not kept", async () => {
    const { method = { type: 'card', number: '' } } = payment()
    const optionsOf = async (more: object) => {
      const [request] = await sent(payment({ method: { ...method, ...more } }))
      return /"processingOptions":(\{[^}]*\})/.exec(JSON.stringify(request))?.[1]
    }
    expect(await optionsOf({})).to.equal('{"isFirstSubsequentAuth":"true"}')
    expect(await optionsOf({ isStored: true })).to.equal('{"isStoredCredentials":"true"}')
    expect(await optionsOf({ token: '1/2' })).to.equal('{"isStoredCredentials":"true"}')
    expect(await optionsOf({ token: 'COMMON.ACCEPT.INAPP.PAYMENT/x' })).to.equal(
      '{"isFirstSubsequentAuth":"true"}',
    )
    expect(await optionsOf({ isKept: false })).to.equal(undefined)
  })

  it('names a stored profile instead of a number', async () => {
    const method = { type: 'card', number: '', token: '40338125/1000177237', cardCode: '123' } as const
    const [request] = await sent(payment({ method }))
    expect(JSON.stringify(request)).to.include(
      '"profile":{"customerProfileId":"40338125",' +
        '"paymentProfile":{"paymentProfileId":"1000177237","cardCode":"123"}}',
    )
    expect(JSON.stringify(request)).to.not.match(/"payment"|"billTo"/)
  })

  it('has the type of a bank payment by its initiator and the class of the account', async () => {
    const account = {
      type: 'bank_account',
      number: '123456789',
      routing: '121042882',
      holder: 'John Doe',
    } as const
    const kinds = [
      [payment({ method: account }), '"checking"', '"WEB"'],
      [
        payment({ method: { ...account, accountType: 'savings' }, initiator: 'consent' }),
        '"savings"',
        '"PPD"',
      ],
      [payment({ method: { ...account, accountClass: 'business' } }), '"businessChecking"', '"CCD"'],
    ] as const
    for (const [operation, type, echeck] of kinds) {
      const [request] = await sent(operation)
      expect(JSON.stringify(request)).to.include(
        `"bankAccount":{"accountType":${type},"routingNumber":"121042882","accountNumber":"123456789",` +
          `"nameOnAccount":"John Doe","echeckType":${echeck}}`,
      )
    }
  })

  it("contains only the payment's id (and amount) for a capture or a void", async () => {
    const held = payment({ type: 'authorize' })
    const id = await idOf(held)
    const capture = on(held, id, { type: 'capture', amount: 2000 })
    expect(await sent(capture)).to.deep.equal([
      {
        createTransactionRequest: {
          refId: capture.refNumber,
          transactionRequest: {
            transactionType: 'priorAuthCaptureTransaction',
            amount: '20.00',
            refTransId: id,
          },
        },
      },
    ])
    const cancel = on(held, id, { type: 'void' })
    expect(await sent(cancel)).to.deep.equal([
      {
        createTransactionRequest: {
          refId: cancel.refNumber,
          transactionRequest: { transactionType: 'voidTransaction', refTransId: id },
        },
      },
    ])
  })

  it("for a refund contains the last four digits and the payment's id, after the payment was read", async () => {
    const sale = payment()
    const id = await idOf(sale)
    connected.server.books.settle()
    const refund = on(sale, id, { type: 'refund', amount: 1000 })
    const requests = await sent(refund)
    expect(requests[0]).to.deep.equal({ getTransactionDetailsRequest: { transId: id } })
    expect(JSON.stringify(requests[1])).to.include(
      '"transactionType":"refundTransaction","amount":"10.00",' +
        '"payment":{"creditCard":{"cardNumber":"0015","expirationDate":"XXXX"}},' +
        `"refTransId":"${id}","order":{"invoiceNumber":"${refund.refNumber}"`,
    )
    expect(requests).to.have.length(2)
  })

  it('does not exceed the maximal lengths of fields', async () => {
    const long = 'long '.repeat(100)
    const method = {
      type: 'card',
      number: '5424000000000015',
      expiry: '12/29',
      holder: long,
      street: long,
      city: long,
      state: long,
      postalCode: long,
      country: long,
    } as const
    const sale = payment({ description: long, orderNumber: long, method })
    expect(await connected.rail.perform(sale, connected.credentials)).to.include({ result: 'approved' })
    const [booked] = connected.server.books.transactions.values()
    expect(booked?.description).to.match(new RegExp(` ref:${sale.reference}$`))
  })

  it('with another order of fields is refused with E00003, as at the real endpoint', async () => {
    const { baseUrl, secrets } = connected.credentials
    const merchantAuthentication = { name: secrets['login_id'], transactionKey: secrets['transaction_key'] }
    const transactionRequest = { amount: '5', transactionType: 'authCaptureTransaction' }
    const answer = await fetch(`${baseUrl}/xml/v1/request.api`, {
      method: 'POST',
      body: JSON.stringify({ createTransactionRequest: { merchantAuthentication, transactionRequest } }),
    })
    expect(await answer.text()).to.include('E00003')
  })
})
