import { type Html, html } from './html.js'
import { textPieces } from './texts/payer-texts.js'

/** A text with its values for a page; a value that people wrote runs in its own direction. */
export function fillHtml(text: string, values: Readonly<Record<string, string>>): Html {
  const pieces = textPieces(text, values)
  return html`${pieces.map(({ piece, isValue }) => (isValue ? html`<bdi>${piece}</bdi>` : piece))}`
}
