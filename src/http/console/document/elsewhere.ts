import { type Html, html } from '../../html/html.js'
import { icon } from '../elements/icons.js'

/** Command lines that show the data of a page outside the console. */
export interface ElsewhereTexts {
  /** A command, as `payctl transactions list --where status=declined`. */
  readonly command?: string | undefined
  /** A command line that sends the request over HTTP. */
  readonly curl?: string | undefined
}

/** Folded section with the command lines of a page. */
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
