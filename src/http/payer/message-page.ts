import type { OpenedMessage } from '../../domain/mail/open-message.js'
import { type Html, html } from '../html/html.js'
import { type HtmlPage, page } from '../html/page.js'
import { pageAddress } from '../html/page-address.js'

/** The page of a mail to a payer: recipient and status, then the mail itself. */
export function messagePage({ to, status, language, content }: OpenedMessage): HtmlPage {
  const { merchant, subject, notice, paragraphs, facts, button, second, footer, unsubscribe } = content
  const body = html`<p class="faint">${to} · ${status ?? ''}</p>
<h1 dir="auto">${subject}</h1>
${notice && html`<p class="faint">${notice}</p>\n`}<p class="faint" dir="auto">${merchant}</p>
${paragraphs.map((text) => html`<p dir="auto">${text}</p>\n`)}${facts.length === 0 ? undefined : factList(facts)}${button && html`<p><a class="button" href="${pageAddress(button.address)}">${button.label}</a></p>\n`}${second && html`<p><a href="${pageAddress(second.address)}">${second.label}</a></p>\n`}${footer.map((text) => html`<p class="faint" dir="auto">${text}</p>\n`)}${unsubscribe && html`<p class="faint"><a href="${pageAddress(unsubscribe.address)}">${unsubscribe.label}</a></p>\n`}`
  return page({ title: subject, body, language })
}

function factList(facts: OpenedMessage['content']['facts']): Html {
  return html`<dl>
${facts.map(([label, value]) => html`<dt>${label}</dt><dd dir="auto">${value}</dd>\n`)}</dl>
`
}
