import { type Html, html } from '../html.js'
import { icon } from './icons.js'

/** The same as a page, for other ways into the service. */
export interface ElsewhereTexts {
  /** A command, as `payctl transactions list --where status=declined`. */
  readonly command?: string | undefined
  /** A command line that sends the request over HTTP. */
  readonly curl?: string | undefined
}

/** The same as a page shows, for the terminal and for programs. */
export function elsewhereHtml({ command, curl }: ElsewhereTexts): Html {
  return html`<details class="elsewhere">
<summary>${icon('terminal')} As a command and as curl</summary>
${command && snippetHtml('Command', command)}
${curl && snippetHtml('curl', curl)}
</details>`
}

function snippetHtml(label: string, text: string): Html {
  return html`<div class="snippet"><p>${label}</p>
<pre><code data-copy="">${text}</code></pre></div>
`
}
