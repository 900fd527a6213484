import { notice } from '../form.js'
import { type Html, html, type Insert } from '../html.js'
import { type HtmlPage, page } from '../page.js'

/** What a page says that has nothing to fill in. */
interface Saying {
  readonly kind: 'problem' | 'done' | 'note'
  /** Whom it is about, above the title. */
  readonly over?: string | undefined
  readonly title: string
  readonly text: string
  /** Where one may go from here. */
  readonly onward?: { readonly label: string; readonly address: string }
}

export function plainPage({ kind, over, title, text, onward }: Saying): HtmlPage {
  const body = html`${over && html`<p class="faint">${over}</p>\n`}<h1>${title}</h1>
${notice(kind, text)}${onward && link(onward.label, onward.address)}`
  return page({ title, body })
}

function link(label: Insert, address: string): Html {
  return html`<p><a class="button quiet" href="${address}">${label}</a></p>`
}

/** The same for whatever is missing, so that guessing an address reveals nothing. */
export function missingPage(): HtmlPage {
  return plainPage({
    kind: 'note',
    title: 'Nothing here',
    text: 'There is no such page, or it is gone. Look whether the whole address was copied.',
  })
}

/** Shown when a page could not be made or a form could not be taken. */
export function troublePage(text: string): HtmlPage {
  return plainPage({ kind: 'problem', title: 'This did not work', text })
}

export function maintenancePage(message: string): HtmlPage {
  const text = message === '' ? 'Try again later.' : message
  return plainPage({ kind: 'note', title: 'Closed for maintenance', text })
}
