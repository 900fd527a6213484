import type { OpenedAction } from '../../../domain/links/open-action.js'
import type { Language } from '../../../schema/language.js'
import { form, notice } from '../form.js'
import { element, type Html, html } from '../html.js'
import { type HtmlPage, page } from '../page.js'
import { pageAddress } from '../page-address.js'
import { payee } from '../payee.js'
import { fillText, textsIn } from '../texts/payer-texts.js'
import { displayAmount } from './display-amount.js'

/** The page of a payment whose payer has to authenticate; `giveUp` is the field of the button to do without it. */
export function actionPage(
  opened: OpenedAction,
  giveUp: { readonly name: string; readonly value: string },
  language: Language,
): HtmlPage {
  const { merchant, organization, amount, action, returnUrl } = opened
  const texts = textsIn(language)
  const asked = fillText(texts.confirmText, { merchant, amount: displayAmount(amount) })
  const body = html`${payee(organization, merchant)}<p class="faint" dir="auto">${merchant}</p>
<h1>${texts.confirmTitle}</h1>
${action === undefined ? notice('note', texts.confirmLater) : html`<p dir="auto">${asked}</p>`}
${stepOf(action, language)}
${form('', undefined, element('button', { class: 'button quiet', ...giveUp }, texts.giveUp))}`
  const formTargets = returnUrl === undefined ? [] : [new URL(returnUrl).origin]
  return page({ title: texts.confirmTitle, body, language, formTargets })
}

function stepOf(action: OpenedAction['action'], language: Language): Html {
  const { confirmGoOn, lookAgain } = textsIn(language)
  const [label, address] =
    action?.redirect === undefined ? [lookAgain, ''] : ([confirmGoOn, action.redirect] as const)
  return html`<p><a class="button" href="${pageAddress(address)}">${label}</a></p>`
}
