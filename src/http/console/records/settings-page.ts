import { html } from '../../html/html.js'
import { pageAddress } from '../../html/page-address.js'
import { type ConsolePage, consoleAddress } from '../console-page.js'
import { headingHtml } from '../elements/list-html.js'

/** The pages of settings, each with a description of its content. */
const PARTS: readonly { readonly path: readonly string[]; readonly label: string; readonly what: string }[] =
  [
    { path: ['settings', 'keys'], label: 'API keys', what: 'Secrets of programs, in this environment only.' },
    {
      path: ['settings', 'gateways'],
      label: 'Gateways',
      what: 'Connections to processors, and routes to them.',
    },
    {
      path: ['settings', 'operators'],
      label: 'Operators',
      what: 'People, their roles and limits, and where they are signed in.',
    },
    {
      path: ['settings', 'accounts'],
      label: 'Processing accounts',
      what: 'Accounts that payments go to, and the bank accounts of their deposits.',
    },
    {
      path: ['set-up'],
      label: 'Your password and second factor',
      what: 'How you sign in. A new password ends all your sessions.',
    },
  ]

/** The first page of the settings. */
export const settingsPage: ConsolePage = {
  matches: ([first, ...more]) => first === 'settings' && more.length === 0,
  get: async ({ visitor: { environment, name, principal } }) => ({
    kind: 'page',
    title: 'Settings',
    body: html`${headingHtml('Settings', html`You are <bdi>${name}</bdi>, ${principal.role ?? 'owner'}.`)}
<dl class="facts card">
${PARTS.map(
  ({ path, label, what }) =>
    html`<dt><a href="${pageAddress(consoleAddress(environment, path))}">${label}</a></dt><dd>${what}</dd>
`,
)}</dl>`,
  }),
}
