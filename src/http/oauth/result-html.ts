import { notice } from '../html/form.js'
import { html } from '../html/html.js'
import { type HtmlPage, page } from '../html/page.js'

/**
 * Sends the outcome to the window that opened this window, if that window still shows a page of the origin. Then closes
 * this window.
 */
const SCRIPT = `
const { origin, outcome } = document.getElementById('outcome').dataset
if (window.opener) {
  const { state, ...answer } = JSON.parse(outcome)
  window.opener.postMessage({ ...answer, payctl: state }, origin)
  window.close()
}
`

/** The last page of a pop-up. The browser gives the outcome only to a page of `origin`, which is registered. */
export function resultPage(origin: string, outcome: Readonly<Record<string, string>>): HtmlPage {
  const isGranted = 'code' in outcome
  const title = isGranted ? 'Access was granted' : 'Access was denied'
  return page({
    title,
    body: html`<h1>${title}</h1>
<p id="outcome" data-origin="${origin}" data-outcome="${JSON.stringify(outcome)}">You can close this window.</p>`,
    script: SCRIPT,
    keepsOpener: true,
  })
}

/** Explains to the user why no access can be granted: the application is not known. */
export function refusalPage(problem: string): HtmlPage {
  return page({
    title: 'This does not work',
    body: html`<h1>This does not work</h1>
${notice('problem', problem)}
<p>Go back to the application that sent you here, and tell whoever runs it.</p>`,
  })
}
