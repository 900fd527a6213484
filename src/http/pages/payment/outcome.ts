import { timingSafeEqual } from 'node:crypto'
import type { FastifyInstance, FastifyRequest } from 'fastify'
import type { App } from '../../../app.js'
import type { Environment } from '../../../engine/core/write/work.js'
import { decodePath, queryOf, splitTarget } from '../../api/wire/target.js'
import { missingPage } from '../../views/payment/plain-page.js'
import { receiptPage } from '../../views/payment/receipt-page.js'
import { outcomePage } from '../../views/payment/states.js'
import { seeOther, sendPage } from '../send-page.js'

const MOST_PARAMETERS = 10

type Signing = Pick<App, 'sign'>

/** Where whoever made a payment on a page sees what became of it; nobody else can make this address. */
export function paidPath(app: Signing, environment: Environment, id: string): string {
  return `paid/${environment}/${id}?signature=${signatureOf(app, environment, id)}`
}

/** Serves what became of a payment, and receipts, to whoever has the address. */
export function serveOutcomes(server: FastifyInstance, app: App): void {
  server.get('/paid/:environment/:id', async (request, reply) => {
    const asked = askedOf(request)
    const payment =
      asked && isSame(asked.signature, signatureOf(app, asked.environment, asked.id))
        ? await app.openPayment(asked.environment, asked.id)
        : undefined
    if (!payment) return sendPage(reply, 404, missingPage())
    const receipt = payment.receipt?.match(/\/(receipt\/[^/]+\/[^/]+)$/)?.[1]
    if (payment.state === 'paid' && receipt) return seeOther(reply, `../../${receipt}`)
    return sendPage(reply, 200, outcomePage(payment, `../../pay/${payment.link ?? ''}`))
  })

  server.get('/receipt/:environment/:id', async (request, reply) => {
    const asked = askedOf(request)
    const receipt = asked && (await app.openReceipt(asked.environment, asked))
    return receipt ? sendPage(reply, 200, receiptPage(receipt)) : sendPage(reply, 404, missingPage())
  })
}

function askedOf(request: FastifyRequest) {
  const { path, search } = splitTarget(request.raw.url ?? '/')
  const [, , environment, id = ''] = decodePath(path).split('/')
  if (environment !== 'test' && environment !== 'live') return undefined
  const { until, signature = '' } = Object.fromEntries(queryOf(search, MOST_PARAMETERS) ?? [])
  return { environment, id, until, signature } as const
}

function signatureOf({ sign }: Signing, environment: Environment, id: string): string {
  return sign(JSON.stringify(['paid', environment, id]))
}

/** In a time that does not tell how much of a guess was right. */
function isSame(guess: string, right: string): boolean {
  const [one, other] = [Buffer.from(guess), Buffer.from(right)]
  return one.length === other.length && timingSafeEqual(one, other)
}
