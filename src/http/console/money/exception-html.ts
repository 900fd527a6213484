import { answeredText, answeredTexts, minorIn } from '../../../schema/answer-values.js'
import type { JsonObject } from '../../../schema/json.js'
import { notice } from '../../html/form.js'
import { type Html, html } from '../../html/html.js'
import type { PageAddress } from '../../html/page-address.js'
import { cardHtml, factsHtml } from '../elements/facts.js'
import { actionLink, headingHtml } from '../elements/list-html.js'
import { amountShown, bdiHtml, idHtml, momentHtml, type ValueContext, wordHtml } from '../elements/value.js'
import { booksText, exceptionHeading, resolutionWords } from './exception-words.js'

export interface ExceptionParts {
  readonly exception: JsonObject
  readonly values: ValueContext
  /** Address of the page for a resolution; undefined if the visitor may not resolve exceptions. */
  readonly resolve: ((resolution: string) => PageAddress) | undefined
  readonly activity: Html | undefined
}

/** The page of an exception: its facts, and the effect of each resolution. */
export function exceptionHtml({ exception, values, resolve, activity }: ExceptionParts): Html {
  const status = answeredText(exception, 'status') ?? ''
  const notices = answeredText(exception, 'notice')
  return html`${headingHtml(
    exceptionHeading(answeredText(exception, 'kind')),
    html`${wordHtml(status)} ${momentHtml(answeredText(exception, 'created_at') ?? '', values.zone)}`,
  )}
<p class="lead"><bdi>${answeredText(exception, 'explanation')}</bdi></p>
${happenedHtml(exception)}${waitingHtml(exception)}<div class="cards">
${cardHtml('Facts', factsHtml(exceptionFacts(exception, values)))}${status === 'open' ? cardHtml('What can be done', choicesHtml(exception, resolve)) : undefined}</div>
${
  notices === undefined
    ? undefined
    : html`<details><summary>What the gateway said, as it came</summary>
<pre><bdi>${notices}</bdi></pre></details>`
}
${activity}`
}

/** Facts of an exception, also above its form. */
export function exceptionFacts(exception: JsonObject, { zone, addressOf }: ValueContext) {
  const transaction = answeredText(exception, 'transaction_id')
  const account = answeredText(exception, 'processing_id')
  const resolution = answeredText(exception, 'resolution')
  const resolvedAt = answeredText(exception, 'resolved_at')
  return [
    ['At stake', stakeText(exception)],
    ['Transaction', transaction && idHtml(transaction, addressOf('transaction', transaction))],
    ['Merchant', account && idHtml(account, addressOf('processing_account', account))],
    ['Gateway', bdiHtml(answeredText(exception, 'gateway'))],
    ['Id at the gateway', bdiHtml(answeredText(exception, 'gateway_id'))],
    ['Decided', resolution && resolutionWords(resolution)?.label],
    ['Reason', bdiHtml(answeredText(exception, 'reason'))],
    ['Resolved', resolvedAt && momentHtml(resolvedAt, zone)],
  ] as const
}

/** The amount at stake; undefined where none is known. */
export function stakeText(exception: JsonObject): string | undefined {
  return minorIn(exception, 'amount') === undefined ? undefined : amountShown(exception.amount ?? 0)
}

function happenedHtml(exception: JsonObject): Html | undefined {
  const happened = answeredText(exception, 'happened')
  return happened === undefined
    ? undefined
    : html`<p><bdi>${happened}</bdi></p>
`
}

function booksHtml(exception: JsonObject, resolution: string): Html | undefined {
  const books = booksText(exception, resolution)
  return books === undefined ? undefined : html`<br><span class="faint">${books}</span>`
}

function waitingHtml(exception: JsonObject): Html | undefined {
  return answeredText(exception, 'pending_operation') === undefined
    ? undefined
    : notice('note', 'The gateway was asked to give the money back, and has not answered yet.')
}

function choicesHtml(exception: JsonObject, resolve: ExceptionParts['resolve']): Html {
  return html`<dl class="facts">
${answeredTexts(exception, 'resolutions').flatMap((resolution) => {
  const words = resolutionWords(resolution)
  if (!words) return []
  return html`<dt>${resolve === undefined ? words.label : actionLink(resolve(resolution), words.label)}</dt><dd>${words.does}${booksHtml(exception, resolution)}</dd>
`
})}</dl>`
}
