import type { ShownOrganization } from '../../domain/accounts/organization-shown.js'
import { type Html, html } from '../html/html.js'
import { pageAddress } from '../html/page-address.js'

/** Payee of a page for payers: the organization's logo and name, unless the page names it anyway. */
export function payee(organization: ShownOrganization | undefined, merchant: string): Html | undefined {
  if (!organization) return undefined
  const { name, logo } = organization
  const isSaid = name === merchant
  if (isSaid && logo === undefined) return undefined
  return html`<header>${logo && html`<img src="${pageAddress(logo)}" alt="${isSaid ? name : ''}">`}${isSaid ? undefined : html`<span>${name}</span>`}</header>
`
}
