import type { FastifyInstance } from 'fastify'
import type { App } from '../../../app.js'
import { openPayment } from '../../../domain/links/open-payment.js'
import { openReceipt } from '../../../domain/receipts/open-receipt.js'
import type { Environment } from '../../../engine/store/database/store.js'
import { equalsInConstantTime } from '../../../platform/constant-time.js'
import { outcomePage } from '../../views/payment/payment-states.js'
import { missingPage } from '../../views/payment/plain-page.js'
import { receiptPage } from '../../views/payment/receipt-page.js'
import { seeOther, sendPage } from '../send-page.js'
import { type AddressRoute, signedAddressOf } from '../signed-address.js'

type Signer = Pick<App, 'sign'>

/** The signed address at which the payer sees the outcome of a payment. */
export function paidPath(app: Signer, environment: Environment, id: string): string {
  return `paid/${environment}/${id}?signature=${signatureOf(app, environment, id)}`
}

/** Serves the outcomes of payments, and receipts, to any visitor with their signed address. */
export function serveOutcomes(server: FastifyInstance, app: App): void {
  server.get<AddressRoute>('/paid/:environment/:id', async (request, reply) => {
    const address = signedAddressOf(request)
    if (
      !address ||
      !equalsInConstantTime(address.signature, signatureOf(app, address.environment, address.id))
    )
      return sendPage(reply, 404, missingPage())
    const { core } = await app.environment(address.environment)
    const payment = await core.read((work) => openPayment(work, address.id))
    if (!payment) return sendPage(reply, 404, missingPage())
    if (payment.onward !== undefined) return seeOther(reply, payment.onward)
    const receipt = payment.receipt?.match(/\/(receipt\/[^/]+\/[^/]+)$/)?.[1]
    if (payment.state === 'paid' && receipt) return seeOther(reply, `../../${receipt}`)
    return sendPage(reply, 200, outcomePage(payment, `../../pay/${payment.link ?? ''}`))
  })

  server.get<AddressRoute>('/receipt/:environment/:id', async (request, reply) => {
    const address = signedAddressOf(request)
    if (!address) return sendPage(reply, 404, missingPage())
    const { core } = await app.environment(address.environment)
    const receipt = await core.read((work) => openReceipt(work, address))
    return receipt ? sendPage(reply, 200, receiptPage(receipt)) : sendPage(reply, 404, missingPage())
  })
}

function signatureOf({ sign }: Signer, environment: Environment, id: string): string {
  return sign(JSON.stringify(['paid', environment, id]))
}
