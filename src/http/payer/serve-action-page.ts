import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify'
import type { App } from '../../app.js'
import type { OpenedAction } from '../../domain/links/open-action.js'
import { postedForm } from '../pages/form-tokens.js'
import { seeOther, sendPage } from '../pages/send-page.js'
import { type AddressRoute, type SignedAddress, signedAddressOf } from '../pages/signed-address.js'
import { actionPage, methodOutcomePage } from './action-page.js'
import { paidPath } from './outcome-page.js'
import { payerLanguage } from './payer-language.js'
import { missingPage } from './plain-page.js'

/** Name and value of the button by which a payer cancels. */
export const GIVEN_UP = { name: 'answer', value: 'give_up' } as const

/**
 * Serves the page on which a payer authenticates, at an address that cannot be guessed. Once the payment has an outcome,
 * the page redirects to the next one.
 */
export function serveActionPage(server: FastifyInstance, app: App): void {
  const serve = async (
    request: FastifyRequest<AddressRoute>,
    reply: FastifyReply,
    isGivenUp: boolean,
  ): Promise<FastifyReply> => {
    const address = signedAddressOf(request)
    const opened = address && (await opening(app, address, isGivenUp))
    if (!address || !opened) return sendPage(reply, 404, missingPage(payerLanguage(request)))
    const language = payerLanguage(request, opened.locale)
    if (!opened.isOpen) {
      const onward = onwardOf(app, address, opened)
      return onward === undefined
        ? sendPage(reply, 200, methodOutcomePage(language))
        : seeOther(reply, onward)
    }
    return sendPage(reply, 200, actionPage(opened, GIVEN_UP, language))
  }
  server.get<AddressRoute>('/authenticate/:environment/:id', async (request, reply) =>
    serve(request, reply, false),
  )
  server.post<AddressRoute>('/authenticate/:environment/:id', async (request, reply) =>
    serve(request, reply, postedForm(request).get(GIVEN_UP.name) === GIVEN_UP.value),
  )
}

async function opening(
  app: App,
  { environment, id, signature }: SignedAddress,
  isGivenUp: boolean,
): Promise<OpenedAction | undefined> {
  const payables = await (await app.environment(environment)).payables()
  return await payables.action({ id, signature, isGivenUp })
}

/**
 * Address to which the payer is sent once there is an outcome. It is the shop's address, the page of the payment's
 * outcome, or the link on which the payer was saving a method. Undefined for a method without shop or link.
 */
function onwardOf(
  app: App,
  { environment, id }: SignedAddress,
  { kind, returnUrl, link }: OpenedAction,
): string | undefined {
  if (returnUrl !== undefined) return returnUrl
  if (kind === 'payment') return `../../${paidPath(app, environment, id)}`
  return link === undefined ? undefined : `../../pay/${link}`
}
