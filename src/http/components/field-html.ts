import type { FieldsOrigins } from '../../domain/gateways/payer-entry.js'
import type { JsonObject } from '../../schema/json.js'
import type { Language } from '../../schema/language.js'
import { type BuiltScript, builtScript, builtStyle } from '../html/built-file.js'
import { builtElement, element, type Html, html } from '../html/html.js'
import type { HtmlPage } from '../html/page.js'
import { pageAddress } from '../html/page-address.js'
import type { Texts } from '../payer/texts/payer-english.js'
import { fillText, textsIn } from '../payer/texts/payer-texts.js'

/** An input of a secure field. */
interface SecureInput {
  readonly name: string
  readonly label: keyof Texts
  readonly wrong: keyof Texts
  readonly past?: keyof Texts
  readonly placeholder?: keyof Texts
  readonly autocomplete: string
}

const NUMBER: SecureInput = {
  name: 'card_number',
  label: 'cardNumber',
  wrong: 'wrongCardNumber',
  autocomplete: 'cc-number',
}
const EXPIRY: SecureInput = {
  name: 'expiry',
  label: 'expires',
  wrong: 'wrongExpiry',
  past: 'pastExpiry',
  placeholder: 'expiryForm',
  autocomplete: 'cc-exp',
}
const CODE: SecureInput = {
  name: 'card_code',
  label: 'securityCode',
  wrong: 'wrongSecurityCode',
  placeholder: 'securityCodeForm',
  autocomplete: 'cc-csc',
}
const ACCOUNT: SecureInput = {
  name: 'account_number',
  label: 'accountNumber',
  wrong: 'wrongAccountNumber',
  autocomplete: 'off',
}
const ROUTING: SecureInput = {
  name: 'routing_number',
  label: 'routingNumber',
  wrong: 'wrongRoutingNumber',
  autocomplete: 'off',
}

/** The secure fields by their name in `pl-input`, each with its inputs. */
const SECURE_FIELDS: ReadonlyMap<string, readonly SecureInput[]> = new Map([
  ['card', [NUMBER, EXPIRY, CODE]],
  ['card_number', [NUMBER]],
  ['expiry', [EXPIRY]],
  ['card_code', [CODE]],
  ['cvc', [CODE]],
  ['account_number', [ACCOUNT]],
  ['routing_number', [ROUTING]],
])

const FIELD_FRAME_SCRIPT = builtScript('field-frame')
const CONTROLLER_SCRIPT = builtScript('controller')
const STYLE = builtStyle('field-frame')

/** Client key of a frame, and the origins of the pages that may show it; any origin if undefined. */
export interface FrameHolder {
  /** The key itself. */
  readonly id: string
  readonly origins?: readonly string[]
}

/** The frame with a secure field; undefined if there is no such field. */
export function fieldFrame(name: string, language: Language, holder: FrameHolder): HtmlPage | undefined {
  const inputs = SECURE_FIELDS.get(name)
  if (!inputs) return undefined
  const texts = textsIn(language)
  const isGroup = inputs.length > 1
  const body = element(
    'body',
    { 'data-field': name, 'data-key': holder.id },
    element(
      'div',
      { id: 'field', role: isGroup ? 'group' : undefined, 'aria-label': isGroup ? texts.card : undefined },
      ...inputs.map((input, index) => inputHtml(input, texts, index === inputs.length - 1, isGroup)),
    ),
    builtElement(FIELD_FRAME_SCRIPT),
  )
  return framed({
    title: texts[inputs[0]?.label ?? 'card'],
    body,
    script: FIELD_FRAME_SCRIPT,
    language,
    holder,
  })
}

/** Fields of a gateway that a shop's page mounts itself, and the gateway that accepts their tokens. */
interface ShownRail {
  readonly script: string
  readonly settings: Readonly<Record<string, string>>
  readonly place: { readonly gateway: string; readonly merchant?: string }
}

/** Script of a gateway that makes tokens in the hidden frame of a form. */
interface ShownFrameScript extends ShownRail {
  readonly connect: readonly string[]
}

/** Fields of a gateway for a page of any origin, and the origins that the policy of that page must allow. */
interface ShownPageRail extends ShownRail {
  readonly origins: FieldsOrigins
}

/** The ways in which methods are entered on a shop's page. */
export interface ShownEntries {
  /** Methods that cannot be entered here; their fields are not shown. */
  readonly closed: readonly ('card' | 'bank_account')[]
  /** Fields that the page mounts. */
  readonly page?: ShownPageRail
  /** Script in the hidden frame. */
  readonly frame?: ShownFrameScript
}

/**
 * Header for a peer that shows these fields in a page of its own: the origins that the policy of that page must allow.
 */
const PAGE_ORIGINS = 'payctl-page-origins'

/** The hidden frame that sends the input of a form's fields. It informs the shop's page which fields can be used. */
export function controllerFrame(
  language: Language,
  holder: FrameHolder,
  { closed, page: shown, frame }: ShownEntries,
): HtmlPage {
  const texts = textsIn(language)
  const { origins, ...page } = shown ?? {}
  const body = element(
    'body',
    {
      'data-key': holder.id,
      'data-rail': shown && JSON.stringify(page),
      'data-accept': frame && JSON.stringify(acceptShown(frame, texts)),
      'data-closed': JSON.stringify(Object.fromEntries(closed.map((type) => [type, texts.noMethodTitle]))),
      'data-unknown': texts.unknownOutcome,
      'data-sent-before': texts.sentBefore,
      'data-incomplete': texts.checkMarked,
      'data-not-loaded': 'The fields of the form are not loaded',
    },
    frame && html`<script src="${pageAddress(frame.script)}"></script>`,
    builtElement(CONTROLLER_SCRIPT),
  )
  const parts = { title: 'payctl', body, script: CONTROLLER_SCRIPT, language, holder }
  const { text, headers } = framed({
    ...parts,
    connects: ["'self'", ...(frame?.connect ?? [])],
    other: frame?.script,
  })
  return { text, headers: origins ? { ...headers, [PAGE_ORIGINS]: JSON.stringify(origins) } : headers }
}

function acceptShown({ settings, place, script }: ShownFrameScript, texts: Texts): JsonObject {
  return { settings, place, blocked: fillText(texts.fieldsBlocked, { host: new URL(script).host }) }
}

function inputHtml(
  { name, label, wrong, past, placeholder, autocomplete }: SecureInput,
  texts: Texts,
  isLast: boolean,
  isGroup: boolean,
): Html {
  const hint = placeholder && texts[placeholder]
  return html`${element('input', {
    type: 'text',
    name,
    inputmode: 'numeric',
    autocomplete,
    'aria-label': texts[label],
    'aria-describedby': `${name}-error`,
    'aria-required': 'true',
    placeholder: hint ?? (isGroup ? texts[label] : undefined),
    enterkeyhint: isLast && (isGroup || name === 'card_code') ? 'done' : 'next',
    autocapitalize: 'off',
    autocorrect: 'off',
    spellcheck: 'false',
    maxlength: 30,
    'data-missing': texts.missing,
    'data-wrong': texts[wrong],
    'data-past': past && texts[past],
  })}<p id="${name}-error" role="alert"></p>`
}

interface Framed {
  readonly title: string
  readonly body: Html
  readonly script: BuiltScript
  /** Sources to which the script may send. */
  readonly connects?: readonly string[]
  /** Address of a gateway's script. */
  readonly other?: string | undefined
  readonly language: Language
  readonly holder: FrameHolder
}

function framed({ title, body, script, connects, other, language, holder }: Framed): HtmlPage {
  const { text } = html`<!doctype html>
<html lang="${language}">
<head>
<meta charset="utf-8">
<meta name="viewport" content="width=device-width, initial-scale=1">
<title>${title}</title>
${builtElement(STYLE)}</head>
${body}
</html>
`
  const policy = [
    "default-src 'none'",
    `style-src ${STYLE.source}`,
    `script-src ${[script.source, ...(other === undefined ? [] : [new URL(other).origin])].join(' ')}`,
    ...(connects ? [`connect-src ${connects.join(' ')}`] : []),
    "form-action 'none'",
    "base-uri 'none'",
    `frame-ancestors ${holder.origins?.join(' ') ?? '*'}`,
  ]
  const headers = { ...FRAME_HEADERS, 'content-security-policy': policy.join('; ') }
  // The script of a gateway may lack the `Cross-Origin-Resource-Policy` that `require-corp` demands.
  const embedder = 'credentialless'
  return {
    text,
    headers: other === undefined ? headers : { ...headers, 'cross-origin-embedder-policy': embedder },
  }
}

/**
 * Headers of every frame, besides its policy. With them, pages that are isolated from other origins can contain frames,
 * too.
 */
const FRAME_HEADERS = {
  'content-type': 'text/html; charset=utf-8',
  'cache-control': 'no-store',
  'cross-origin-embedder-policy': 'require-corp',
  'cross-origin-resource-policy': 'cross-origin',
  'referrer-policy': 'no-referrer',
  'x-content-type-options': 'nosniff',
  'x-robots-tag': 'noindex',
} as const
