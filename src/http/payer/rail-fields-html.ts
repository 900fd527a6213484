import type { PayerFields } from '../../domain/gateways/payer-entry.js'
import type { PayingMethod } from '../../domain/links/open-link.js'
import { hidden } from '../html/form.js'
import { element, type Html, html } from '../html/html.js'
import type { Texts } from './texts/payer-english.js'
import { fillText } from './texts/payer-texts.js'

/** Fields of a gateway, as a form has them. */
export interface ShownFields {
  /** Gateway and merchant that a token is for. */
  readonly place: string
  readonly fields: PayerFields
}

/** The box in which the script of a processor shows its fields, and the problem of what was sent last. */
export function railFieldsHtml(
  { place, fields }: ShownFields,
  method: PayingMethod,
  error: string | undefined,
  texts: Texts,
): Html {
  const { kind, script, settings } = fields
  const box = element(
    'div',
    {
      class: 'rail-fields',
      'data-fields': kind,
      'data-method': method,
      'data-script': script,
      'data-entered': texts.cardEntered,
      'data-again': texts.fieldsAgain,
      'data-settings': JSON.stringify(settings),
      'data-blocked': fillText(texts.fieldsBlocked, { host: new URL(script).host }),
    },
    html`<noscript><p class="error">${texts.fieldsNeedScript}</p></noscript>`,
    error && html`<p class="error" role="alert">${error}</p>`,
    kind === 'accept' ? acceptButton(settings, texts) : places(texts),
  )
  return html`${box}${hidden('fields', place)}
`
}

/** Labelled places, one for each field of a processor. */
function places(texts: Texts): Html {
  return html`${placeOf('card_number', texts.cardNumber)}${placeOf('expiry', texts.expires, true)}${placeOf('card_code', texts.securityCode, true)}`
}

/** The button by which Authorize.Net opens its form; names of attributes have no case in HTML. */
function acceptButton({ apiLoginID, clientKey }: PayerFields['settings'], texts: Texts): Html {
  const button = element(
    'button',
    {
      type: 'button',
      class: 'AcceptUI quiet',
      'data-rail-field': 'card_number',
      'data-billingaddressoptions': '{"show":false,"required":false}',
      'data-apiloginid': apiLoginID,
      'data-clientkey': clientKey,
      'data-acceptuiformbtntxt': texts.enterCard,
      'data-acceptuiformheadertxt': texts.card,
      'data-paymentoptions': '{"showCreditCard":true,"showBankAccount":false}',
      'data-responsehandler': 'acceptNonce',
    },
    texts.enterCard,
  )
  return html`<div class="field">${button}</div>`
}

function placeOf(name: string, label: string, isShort = false): Html {
  return html`<div class="${isShort ? 'field half' : 'field'}">
<label data-of="${name}">${label}</label>
<div class="rail-field" data-rail-field="${name}"></div>
</div>
`
}
