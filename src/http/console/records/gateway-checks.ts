import { answeredText, objectsIn } from '../../../schema/answer-values.js'
import type { JsonObject } from '../../../schema/json.js'
import { type Html, html } from '../../html/html.js'
import type { ConsoleRequest } from '../console-page.js'
import { cardHtml } from '../elements/facts.js'
import { type Tick, ticksHtml } from '../elements/ticks.js'

/** Card with the results of the last test of a gateway, one tick for each check. */
export async function gatewayChecks(_: ConsoleRequest, gateway: JsonObject): Promise<Html> {
  const ticks = objectsIn(gateway, 'checks').map(
    (check): Tick => ({
      state: stateOf(answeredText(check, 'state')),
      name: answeredText(check, 'name') ?? '',
      found: answeredText(check, 'found') ?? '',
    }),
  )
  return cardHtml(
    'What the last test has found',
    ticks.length === 0
      ? html`<p class="faint">It was not tested yet. A test looks up what live payments need; no money moves.</p>`
      : ticksHtml(ticks),
  )
}

function stateOf(text: string | undefined): Tick['state'] {
  return text === 'ok' || text === 'unavailable' ? text : 'failed'
}
