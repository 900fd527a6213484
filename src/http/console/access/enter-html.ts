import type { Environment } from '../../../engine/store/database/store.js'
import { button, form, notice } from '../../html/form.js'
import { type Html, html } from '../../html/html.js'
import { pageAddress } from '../../html/page-address.js'

/** The page of an entry code: only a button. It does not reveal whose code it is. */
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

/** The page for a code that opens no console; `environment` is undefined if the code names none. */
export function unusableEntryHtml(kind: 'used' | 'unknown', environment: Environment | undefined): Html {
  const problem =
    kind === 'used' ? 'This code was used already.' : 'This code is unknown, or older than two minutes.'
  const signIn = pageAddress(`/console/${environment ?? 'test'}/sign-in`)
  return html`<h1>This does not open the console</h1>
<p>${problem} <a href="${signIn}">Sign in</a>, or make another one at the terminal of the server: ${entryCommandsHtml(environment)}</p>
`
}

/** The commands that make an entry code: for the operator of the login, and for another one. */
export function entryCommandsHtml(environment: Environment | undefined): Html {
  return html`${commandHtml('payctl console', environment)}, or an owner for somebody else: ${commandHtml('payctl console --as EMAIL', environment)}`
}

/** A command at the terminal of the server. */
export function commandHtml(command: string, environment: Environment | undefined): Html {
  return html`<code class="command">${command}${environment === 'live' ? ' --env live' : ''}</code>`
}
