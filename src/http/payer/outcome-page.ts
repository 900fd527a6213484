import type { FastifyInstance, FastifyRequest } from 'fastify'
import type { App } from '../../app.js'
import { openInvoice } from '../../domain/links/open-invoice.js'
import { openPayment } from '../../domain/links/open-payment.js'
import { openReceipt } from '../../domain/receipts/open-receipt.js'
import type { Core } from '../../engine/core/core.js'
import type { Work } from '../../engine/core/write/work.js'
import type { Environment } from '../../engine/store/database/store.js'
import { equalsInConstantTime } from '../../platform/constant-time.js'
import { seeOther, sendPage } from '../pages/send-page.js'
import { type AddressRoute, type SignedAddress, signedAddressOf } from '../pages/signed-address.js'
import { payerLanguage } from './payer-language.js'
import { outcomePage } from './payment-states.js'
import { missingPage } from './plain-page.js'
import { receiptPage } from './receipt-page.js'
import { showInvoice } from './show-invoice.js'

type Signer = Pick<App, 'sign'>

/** The signed address at which the payer sees the outcome of a payment. */
export function paidPath(app: Signer, environment: Environment, id: string): string {
  return `paid/${environment}/${id}?signature=${outcomeSignature(app, environment, id)}`
}

/** Serves the outcomes of payments, receipts and invoices to any visitor with their signed address. */
export function serveOutcomes(server: FastifyInstance, app: App): void {
  server.get<AddressRoute>('/paid/:environment/:id', async (request, reply) => {
    const address = signedAddressOf(request)
    const missing = () => sendPage(reply, 404, missingPage(payerLanguage(request)))
    if (
      !address ||
      !equalsInConstantTime(address.signature, outcomeSignature(app, address.environment, address.id))
    )
      return missing()
    const { core } = await app.environment(address.environment)
    const payment = await core.read((work) => openPayment(work, address.id))
    if (!payment) return missing()
    if (payment.onward !== undefined) return seeOther(reply, payment.onward)
    const receipt = payment.receipt?.match(/\/(receipt\/[^/]+\/[^/]+)$/)?.[1]
    if (payment.state === 'paid' && receipt) return seeOther(reply, `../../${receipt}`)
    const language = payerLanguage(request, payment.locale)
    return sendPage(reply, 200, outcomePage(payment, `../../pay/${payment.link ?? ''}`, language))
  })

  server.get<AddressRoute>('/receipt/:environment/:id', async (request, reply) => {
    const found = await openAt(app, request, openReceipt)
    if (!found) return sendPage(reply, 404, missingPage(payerLanguage(request)))
    return sendPage(reply, 200, receiptPage(found.opened, payerLanguage(request, found.opened.locale)))
  })

  server.get<AddressRoute>('/invoice/:environment/:id', async (request, reply) => {
    const found = await openAt(app, request, openInvoice)
    if (!found) return sendPage(reply, 404, missingPage(payerLanguage(request)))
    const { core, opened } = found
    return sendPage(reply, 200, await showInvoice(core, opened, payerLanguage(request, opened.locale)))
  })
}

/** Object of a signed address, with its environment's core; undefined when `open` finds the address wrong. */
async function openAt<T>(
  app: App,
  request: FastifyRequest<AddressRoute>,
  open: (work: Work, address: SignedAddress) => Promise<T | undefined>,
): Promise<{ readonly core: Core; readonly opened: T } | undefined> {
  const address = signedAddressOf(request)
  if (!address) return undefined
  const { core } = await app.environment(address.environment)
  const opened = await core.read((work) => open(work, address))
  return opened === undefined ? undefined : { core, opened }
}

export function outcomeSignature({ sign }: Signer, environment: Environment, id: string): string {
  return sign(JSON.stringify(['paid', environment, id]))
}
