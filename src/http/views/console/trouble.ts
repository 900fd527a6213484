import { type Html, html } from '../html.js'

/** An error as a page shows it. */
export interface Trouble {
  readonly status: number
  /** Name of the error, as `Forbidden`. */
  readonly type: string
  readonly description: string
  readonly requestId: string
}

/** The content of a page that could not be shown, or did not do what was requested. */
export function troubleHtml({ status, type, description, requestId }: Trouble): Html {
  return html`<h1>${HEADINGS[status] ?? 'That did not work'}</h1>
<p class="lead">${description}</p>
<p class="faint">${status} ${type} · request ${requestId}</p>
`
}

const HEADINGS: Readonly<Record<number, string>> = {
  400: 'That request is not understood',
  403: 'That needs another role',
  404: 'There is nothing here',
  409: 'Something changed in between',
  429: 'Too many requests',
  503: 'The database does not answer',
}
