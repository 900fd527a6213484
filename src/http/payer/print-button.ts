import { type Html, html } from '../html/html.js'
import type { Texts } from './texts/payer-english.js'

/** A button that prints the page; the page's script shows it, and it is not printed. */
export function printButton(texts: Texts): Html {
  return html`<p class="screen"><button type="button" class="quiet" data-print hidden>${texts.print}</button></p>
`
}
