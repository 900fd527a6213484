import type { FastifyReply } from 'fastify'
import type { App } from '../../app.js'
import type { OpenedAction } from '../../domain/links/open-action.js'
import { postedForm } from '../pages/form-tokens.js'
import { sendPage } from '../pages/send-page.js'
import { actionPage, methodOutcomePage } from '../payer/action-page.js'
import { declineReason } from '../payer/payment-states.js'
import { missingPage } from '../payer/plain-page.js'
import { GIVEN_UP } from '../payer/serve-action-page.js'
import { textsIn } from '../payer/texts/payer-texts.js'
import { showOutcome } from './checkout-component.js'
import { type HostedEvent, hostedBy } from './hosted-page.js'
import type { HostedDependencies, HostedPage, HostedVisit } from './hosted-visit.js'

/**
 * The page on which a payer authenticates, in a frame over a shop's page. Its signed address is in the answer to the
 * payment. The shop's page receives the outcome after the gateway has confirmed it.
 */
export function payerAction({ app }: HostedDependencies): HostedPage {
  return {
    name: 'authenticate',
    isFramed: true,
    lostText: ({ unknownOutcome }) => unknownOutcome,
    show: async (visit) => await serve(app, visit, false),
    take: async (visit) =>
      await serve(app, visit, postedForm(visit.request).get(GIVEN_UP.name) === GIVEN_UP.value),
  }
}

async function serve(app: App, visit: HostedVisit, isGivenUp: boolean): Promise<FastifyReply> {
  const { environment, host, language, reply } = visit
  const id = visit.parameter('action') ?? ''
  const signature = visit.parameter('signature') ?? ''
  const payables = await (await app.environment(environment)).payables()
  const opened = await payables.action({ id, signature, isGivenUp })
  if (!opened) return sendPage(reply, 404, missingPage(language, hostedBy(host)))
  if (opened.isOpen) {
    const address = visit.address('authenticate', { action: id, signature })
    return sendPage(reply, 200, actionPage(opened, { ...GIVEN_UP, address }, language, hostedBy(host)))
  }
  if (opened.kind === 'payment') return await showOutcome(app, visit, id)
  return sendPage(reply, 200, methodOutcomePage(language, hostedBy(host, methodEvent(opened, visit))))
}

function methodEvent({ id, isSaved }: OpenedAction, { language }: HostedVisit): HostedEvent {
  if (isSaved) return { event: 'created', payload: { payment_method_id: id } }
  const message = declineReason('authentication_required', textsIn(language))
  return { event: 'declined', payload: { status_code: 'authentication_required', message } }
}
