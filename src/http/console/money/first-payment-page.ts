import { type FirstAsk, type FirstStep, firstPayment } from '../../../domain/gateways/first-payment.js'
import type { ApiResponse } from '../../../engine/core/request/request.js'
import { answeredText } from '../../../schema/answer-values.js'
import { reaches } from '../../../schema/role.js'
import { button, form, textField } from '../../html/form.js'
import { html } from '../../html/html.js'
import { pageAddress } from '../../html/page-address.js'
import { expectConfirmed } from '../access/confirmation.js'
import { type ConsoleAnswer, type ConsolePage, type ConsoleRequest, consoleAddress } from '../console-page.js'
import { cardHtml, trailHtml } from '../elements/facts.js'
import { headingHtml } from '../elements/list-html.js'
import { type Tick, ticksHtml } from '../elements/ticks.js'
import { fieldLabel, urlHtml } from '../elements/value.js'
import { commandOf } from '../lists/elsewhere-of.js'
import { lackingRole } from '../write/write-page.js'

/** Last segment of the page's path. */
export const FIRST_PAYMENT = 'first-payment'

/** Name of the field for the processing account that is paid. */
const PROCESSING = 'processing'

/**
 * Page that tests a gateway with one real payment, with a tick for each step. GET shows the steps so far; the form
 * continues with the next steps.
 */
export const firstPaymentPage: ConsolePage = {
  matches: ([settings, gateways, id, last, ...more]) =>
    settings === 'settings' &&
    gateways === 'gateways' &&
    id !== undefined &&
    last === FIRST_PAYMENT &&
    more.length === 0,
  get: async (request) => await walk(request, false),
  post: async (request) => await walk(request, true),
}

/** A refusal of the core during the steps. */
class Refused extends Error {
  constructor(readonly answer: ApiResponse) {
    super('Refused')
  }
}

async function walk(request: ConsoleRequest, goesOn: boolean): Promise<ConsoleAnswer> {
  const { app, environment, principal } = request.visitor
  const { least } = app.model.get('gateway')
  const { role = 'owner' } = principal
  if (!reaches(role, least)) return await lackingRole(request, role, least)
  const detour = environment === 'live' ? expectConfirmed(request) : undefined
  if (detour) return detour
  const id = request.path[2] ?? ''
  const gateway = await request.ask('GET', `/admin/gateways/${encodeURIComponent(id)}`)
  if (gateway.status === 404) return { kind: 'missing' }
  const ask: FirstAsk = async ({ method, path, ...more }) => {
    const answer = await request.ask(method, path, more)
    if (answer.status !== 200) throw new Refused(answer)
    return answer.body
  }
  const processing = request.form?.get(PROCESSING)?.trim() || undefined
  try {
    const { capabilitiesOf } = app
    const steps = await firstPayment({ gateway: id, processing, goesOn, ask, capabilitiesOf })
    return stepsPage(request, answeredText(gateway.body, 'name') ?? id, steps)
  } catch (error) {
    if (error instanceof Refused) return { kind: 'refused', answer: error.answer }
    throw error
  }
}

function stepsPage(request: ConsoleRequest, name: string, steps: readonly FirstStep[]): ConsoleAnswer {
  const { environment, formToken } = request.visitor
  const here = consoleAddress(environment, request.path)
  const gateway = pageAddress(consoleAddress(environment, request.path.slice(0, -1)))
  const isDone = steps.length === STEPS.length && steps.every(({ state }) => state === 'ok')
  const hasNoAccount = steps.some(({ step, state }) => step === 'paid' && state === 'failed')
  const later = STEPS.slice(steps.length).map(
    (step): Tick => ({ state: 'waiting', name: fieldLabel(step), found: 'after the steps before it' }),
  )
  const body = html`${trailHtml(html`<a href="${gateway}"><bdi>${name}</bdi></a>`)}
${headingHtml('First payment', 'One real payment of 1.00 that you make on a page: notified, refunded, and settled days later. It pays and refunds once.')}
${cardHtml('Steps', ticksHtml([...steps.map(tickOf), ...later]))}
${
  isDone
    ? html`<p class="calm">All is done: live payments work from the page to the bank.</p>`
    : form(
        here,
        formToken,
        hasNoAccount
          ? textField({
              name: PROCESSING,
              label: 'Processing account that is paid',
              hint: 'Its id, unless there is only one or a default.',
              autocomplete: 'off',
            })
          : undefined,
        button(environment === 'live' ? 'Go on: 1.00 of real money moves' : 'Go on'),
      )
}`
  return {
    kind: 'page',
    title: 'First payment',
    body,
    elsewhere: { command: commandOf(environment, ['gateways', 'test', name, '--first-payment']) },
  }
}

const STEPS: readonly FirstStep['step'][] = ['tested', 'routed', 'paid', 'notified', 'refunded', 'settled']

function tickOf({ step, state, found, payAt }: FirstStep): Tick {
  return {
    state,
    name: fieldLabel(step),
    found: payAt === undefined ? found : html`Pay 1.00 at ${urlHtml(payAt)}`,
  }
}
