import type { ShownOrganization } from '../../domain/accounts/organization-shown.js'
import { DEFAULT_LANGUAGE, type Language } from '../../schema/language.js'
import { notice } from '../html/form.js'
import { element, type Html, html } from '../html/html.js'
import { type HtmlPage, page, type ShowPage } from '../html/page.js'
import { pageAddress } from '../html/page-address.js'
import { payee } from './payee.js'
import { PAYER_SCRIPT } from './payer-script.js'
import { textsIn } from './texts/payer-texts.js'

/** A page with a message and no fields. */
export interface PlainMessage {
  readonly kind: 'problem' | 'done' | 'note'
  /** English by default. */
  readonly language?: Language
  /** Shown above the title: the merchant, and its organization. */
  readonly over?: string | undefined
  readonly organization?: ShownOrganization | undefined
  readonly title: string
  readonly text: string
  /** Whether the state may still change: the page's script looks again. */
  readonly isOpen?: boolean
  /** A link to continue with, perhaps in a window of its own. */
  readonly onward?: { readonly label: string; readonly address: string; readonly isApart?: boolean }
}

export function plainPage(message: PlainMessage, show: ShowPage = page): HtmlPage {
  const {
    kind,
    over,
    organization,
    title,
    text,
    isOpen = false,
    onward,
    language = DEFAULT_LANGUAGE,
  } = message
  const heading = element('h1', { 'data-open': isOpen }, title)
  const body = html`${payee(organization, over ?? '')}${over && html`<p class="faint" dir="auto">${over}</p>\n`}${heading}
${notice(kind, text)}${onward && link(onward)}`
  return show({ title, body, language, ...(isOpen && { script: PAYER_SCRIPT, connects: true }) })
}

function link({ label, address, isApart = false }: NonNullable<PlainMessage['onward']>): Html {
  const apart = isApart ? { target: '_blank', rel: 'noopener' } : {}
  const anchor = element('a', { class: 'button quiet', href: pageAddress(address), ...apart }, label)
  return html`<p>${anchor}</p>`
}

/** The one page for every missing object, so that guessing an address reveals no object. */
export function missingPage(language: Language, show: ShowPage = page): HtmlPage {
  const { missingTitle: title, missingText: text } = textsIn(language)
  return plainPage({ kind: 'note', title, text, language }, show)
}

/** The page of a request that failed. */
export function troublePage(text: string, language: Language, show: ShowPage = page): HtmlPage {
  return plainPage({ kind: 'problem', title: textsIn(language).troubleTitle, text, language }, show)
}

export function maintenancePage(message: string, language: Language): HtmlPage {
  const { closedTitle: title, tryLater } = textsIn(language)
  return plainPage({ kind: 'note', title, text: message === '' ? tryLater : message, language })
}
