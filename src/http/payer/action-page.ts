import type { OpenedAction } from '../../domain/links/open-action.js'
import type { Language } from '../../schema/language.js'
import { builtScript } from '../html/built-file.js'
import { form, notice } from '../html/form.js'
import { element, type Html, html } from '../html/html.js'
import { type HtmlPage, page, type ShowPage } from '../html/page.js'
import { pageAddress } from '../html/page-address.js'
import { displayAmount } from './display-amount.js'
import { payee } from './payee.js'
import { plainPage } from './plain-page.js'
import type { Texts } from './texts/payer-english.js'
import { fillText, textsIn } from './texts/payer-texts.js'

const ACTION_SCRIPT = builtScript('action')

/**
 * The page of a payment whose payer has to authenticate: in an overlay of the processor's script, or at the bank's
 * address. `giveUp` is the field of the button that cancels, and `address` is the address of its form.
 */
export function actionPage(
  opened: OpenedAction,
  { address = '', ...giveUp }: GiveUp,
  language: Language,
  show: ShowPage = page,
): HtmlPage {
  const { merchant, organization, amount, step, returnUrl, kind } = opened
  const texts = textsIn(language)
  const body = html`${payee(organization, merchant)}<p class="faint" dir="auto">${merchant}</p>
${element('h1', { 'data-open': true, 'data-own': true }, texts.confirmTitle)}
<p dir="auto">${
    kind === 'payment'
      ? fillText(texts.confirmText, { merchant, amount: displayAmount(amount) })
      : fillText(texts.confirmMethod, { merchant })
  }</p>
${stepOf(step, texts)}
${form(address, undefined, element('button', { type: 'submit', class: 'button quiet', ...giveUp }, kind === 'payment' ? texts.giveUp : texts.giveUpMethod))}`
  const formTargets = returnUrl === undefined ? [] : [new URL(returnUrl).origin]
  const parts = { title: texts.confirmTitle, body, language, formTargets }
  const fields = step?.fields
  return show(fields ? { ...parts, script: ACTION_SCRIPT, connects: true, origins: fields.origins } : parts)
}

/** Field of the button by which a payer cancels, and the address of its form; by default the address of the page. */
interface GiveUp {
  readonly name: string
  readonly value: string
  readonly address?: string
}

/** The last page after an authentication for saving a method. */
export function methodOutcomePage(language: Language, show: ShowPage = page): HtmlPage {
  const { confirmDone: title, confirmDoneText: text } = textsIn(language)
  return plainPage({ kind: 'note', title, text, language }, show)
}

function stepOf(step: OpenedAction['step'], texts: Texts): Html {
  const { action, fields } = step ?? {}
  if (action?.redirect !== undefined) return button(texts.confirmGoOn, action.redirect)
  if (action?.clientSecret === undefined || !fields)
    return html`${notice('note', texts.confirmLater)}${button(texts.lookAgain, '')}`
  // The page shows this problem until the processor's script is loaded.
  return html`<div id="blocked">${notice('problem', texts.confirmBlocked)}${button(texts.lookAgain, '')}</div>
${element(
  'p',
  {
    hidden: true,
    id: 'confirm',
    'data-secret': action.clientSecret,
    'data-settings': JSON.stringify(fields.settings),
  },
  html`<button class="button">${texts.confirmAgain}</button>`,
)}
<script src="${pageAddress(fields.script)}"></script>`
}

function button(label: string, address: string): Html {
  return html`<p><a class="button" href="${pageAddress(address)}">${label}</a></p>`
}
