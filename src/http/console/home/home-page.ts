import { html } from '../../views/html.js'
import type { ConsolePage } from '../console-page.js'

/** The first page: what needs attention. */
export const homePage: ConsolePage = {
  matches: (path) => path.length === 0,
  get: async () => ({ kind: 'page', title: 'Home', body: html`<h1>Home</h1>` }),
}
