import type { ShownOrganization } from '../../../domain/accounts/organization-shown.js'
import { notice } from '../form.js'
import { type Html, html, type Insert } from '../html.js'
import { type HtmlPage, page } from '../page.js'
import { pageAddress } from '../page-address.js'
import { payee } from '../payee.js'

/** A page with a message and no fields. */
interface Message {
  readonly kind: 'problem' | 'done' | 'note'
  /** Shown above the title: the merchant, and its organization. */
  readonly over?: string | undefined
  readonly organization?: ShownOrganization | undefined
  readonly title: string
  readonly text: string
  /** A link to continue with. */
  readonly onward?: { readonly label: string; readonly address: string }
}

export function plainPage({ kind, over, organization, title, text, onward }: Message): HtmlPage {
  const body = html`${payee(organization, over ?? '')}${over && html`<p class="faint">${over}</p>\n`}<h1>${title}</h1>
${notice(kind, text)}${onward && link(onward.label, onward.address)}`
  return page({ title, body })
}

function link(label: Insert, address: string): Html {
  return html`<p><a class="button quiet" href="${pageAddress(address)}">${label}</a></p>`
}

/** The one page for every missing object, so that guessing an address reveals none. */
export function missingPage(): HtmlPage {
  return plainPage({
    kind: 'note',
    title: 'Nothing here',
    text: 'There is no such page, or it is gone. Check that you have the whole address.',
  })
}

/** Shown when a request fails. */
export function troublePage(text: string): HtmlPage {
  return plainPage({ kind: 'problem', title: 'This did not work', text })
}

export function maintenancePage(message: string): HtmlPage {
  const text = message === '' ? 'Try again later.' : message
  return plainPage({ kind: 'note', title: 'Closed for maintenance', text })
}
