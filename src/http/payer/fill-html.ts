import { type Html, html } from '../html/html.js'
import { textPieces } from './texts/payer-texts.js'

/** Fills values into a text for a page. Each value keeps its own direction of writing. */
export function fillHtml(text: string, values: Readonly<Record<string, string>>): Html {
  const pieces = textPieces(text, values)
  return html`${pieces.map(({ piece, isValue }) => (isValue ? html`<bdi>${piece}</bdi>` : piece))}`
}
