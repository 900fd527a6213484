import { button, form, notice } from '../../form.js'
import { type Html, html } from '../../html.js'

/** The page of a code of entry: a button and no word of whose it is. */
export function enterHtml({
  here,
  token,
  isStale,
}: {
  readonly here: string
  readonly token: string
  readonly isStale: boolean
}): Html {
  return html`<h1>Enter the console</h1>
<p>The code in this address works once, within two minutes of its making.</p>
${isStale ? notice('problem', 'The browser did not send the cookie of this page back: please try again') : undefined}
${form(here, token, button('Enter'))}`
}

/** The page of a code that does not open anything. */
export function unusableEntryHtml(kind: 'used' | 'unknown'): Html {
  const problem =
    kind === 'used' ? 'This code was used already.' : 'This code is unknown, or older than two minutes.'
  return html`<h1>This does not open the console</h1>
<p>${problem}</p>
<p>Make another one: <code>payctl console --as EMAIL</code></p>
`
}
