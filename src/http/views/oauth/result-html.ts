import { notice } from '../form.js'
import { html } from '../html.js'
import { type HtmlPage, page } from '../page.js'

/** Hands the outcome to the window that opened this one, if that still shows a page of the origin, and closes. */
const SCRIPT = `
const { origin, outcome } = document.getElementById('outcome').dataset
if (window.opener) {
  window.opener.postMessage({ source: 'payctl', ...JSON.parse(outcome) }, origin)
  window.close()
}
`

/** The last page of a pop-up. `origin` is registered: the browser gives the outcome to no other. */
export function resultPage(origin: string, outcome: Readonly<Record<string, string>>): HtmlPage {
  const isGranted = 'code' in outcome
  const title = isGranted ? 'Access was given' : 'Access was denied'
  return page({
    title,
    body: html`<h1>${title}</h1>
<p id="outcome" data-origin="${origin}" data-outcome="${JSON.stringify(outcome)}">You can close this window.</p>`,
    script: SCRIPT,
    keepsOpener: true,
  })
}

/** Why nothing can be granted here, for the person at the page: the application is not known. */
export function refusalPage(problem: string): HtmlPage {
  return page({
    title: 'This does not work',
    body: html`<h1>This does not work</h1>
${notice('problem', problem)}
<p>Go back to the application that sent you here, and tell whoever runs it.</p>`,
  })
}
