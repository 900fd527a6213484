import { builtScript } from '../html/built-file.js'
import { notice } from '../html/form.js'
import { html } from '../html/html.js'
import { type HtmlPage, page } from '../html/page.js'

const SCRIPT = builtScript('outcome')

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
