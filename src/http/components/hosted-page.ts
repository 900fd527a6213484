import type { JsonObject } from '../../schema/json.js'
import { builtScript } from '../html/built-file.js'
import { element, html } from '../html/html.js'
import { page, type ShowPage } from '../html/page.js'

const SCRIPT = builtScript('hosted')

/** The page of a shop that has a hosted page in a frame, or has opened it in a window. */
export interface Host {
  /** Origin of the shop's page. The browser delivers messages to no other origin. */
  readonly origin: string
  /** Random text in each message, by which the shop's page recognizes the component. */
  readonly nonce: string
  /** Sources of the pages that may show the hosted page in a frame. */
  readonly ancestors: readonly string[]
  /**
   * Label of the button that closes the hosted page; undefined if the hosted page is a fixed part of the shop's page.
   */
  readonly closeLabel: string | undefined
  /** Text for the visitor if the answer to a form is lost. */
  readonly lostText: string
}

/** An event of the shop's component, and the data for its listeners: ids and states, never input of the visitor. */
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
      script: SCRIPT,
      connects: true,
      keepsOpener: true,
      frameAncestors: ancestors,
      width: 'framed',
    })
}
