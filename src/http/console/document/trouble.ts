import { ROLES, type Role, reaches } from '../../../schema/role.js'
import { type Html, html } from '../../html/html.js'

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

/** An operator without the role that a page requires. */
export interface LackingRole {
  readonly role: Role
  readonly least: Role
  /** Names of operators who can give roles. */
  readonly owners: readonly string[]
}

/**
 * The content of a page that an operator's role may not open. It names the sufficient roles, and the owners, who assign
 * roles.
 */
export function lackingRoleHtml({ role, least, owners }: LackingRole): Html {
  const able = ROLES.filter((each) => reaches(each, least)).map((each) => html`<strong>${each}</strong>`)
  return html`<h1>That takes another role</h1>
<p class="lead">Operators with the role ${listed(able)} may do this. Yours is <strong>${role}</strong>.</p>
<p>An owner gives roles, in the settings of operators${owners.length === 0 ? undefined : html`: ask ${listed(owners.map((name) => html`<bdi>${name}</bdi>`))}`}.</p>
`
}

function listed(items: readonly Html[]): Html {
  const after = ['', ' or ']
  return html`${items.map((item, index) => html`${item}${after[items.length - 1 - index] ?? ', '}`)}`
}

const HEADINGS: Readonly<Record<number, string>> = {
  400: 'That request is not understood',
  403: 'That is not allowed',
  404: 'There is nothing here',
  409: 'Something changed in between',
  429: 'Too many requests',
  503: 'The database does not answer',
}
