import type { JsonObject } from '../../../schema/json.js'
import { element, html } from '../html.js'
import { page, type ShowPage } from '../page.js'
import { HOSTED_SCRIPT } from '../scripts/components/hosted-script.js'

/** The page of a shop that has a hosted page in a frame, or has opened it in a window. */
export interface Host {
  /** Origin of the shop's page, to which alone the browser gives messages. */
  readonly origin: string
  /** Text that the messages carry, by which the shop's page tells its components apart. */
  readonly nonce: string
  /** Sources of the pages that may have a frame of it. */
  readonly ancestors: readonly string[]
  /** Label of the button that closes it; undefined where it stays in the shop's page. */
  readonly closeLabel: string | undefined
  /** Said when the answer to a form is lost. */
  readonly lostText: string
}

/** An event of the shop's component, with what its listeners get: ids and states, never what was typed. */
export interface HostedEvent {
  readonly event: 'processed' | 'authorized' | 'declined' | 'created' | 'account_created' | 'error'
  readonly payload: JsonObject
}

/** Shows pages for a host, which is sent an event when the browser shows the page. */
export function hostedBy(
  { origin, nonce, ancestors, closeLabel, lostText }: Host,
  event?: HostedEvent,
): ShowPage {
  const messages = element('div', {
    id: 'host',
    hidden: true,
    'data-origin': origin,
    'data-nonce': nonce,
    'data-lost': lostText,
    'data-event': event && JSON.stringify({ ...event.payload, event: event.event }),
  })
  const close =
    closeLabel === undefined
      ? undefined
      : element('button', { type: 'button', class: 'quiet', 'data-close': true }, closeLabel)
  return (parts) =>
    page({
      ...parts,
      body: html`${parts.body}${close && html`<p>${close}</p>`}${messages}`,
      script: HOSTED_SCRIPT,
      connects: true,
      keepsOpener: true,
      frameAncestors: ancestors,
      width: 'framed',
    })
}
