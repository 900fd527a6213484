import { authorize } from '../../../engine/core/query/authorize.js'
import { ApiError, invalidAttributes } from '../../../engine/core/request/api-error.js'
import { isUnbound, ownAccount, type Principal } from '../../../engine/core/request/principal.js'
import type { Rule, Work } from '../../../engine/core/write/work.js'
import type { Random } from '../../../platform/random.js'
import { resources } from '../../../resources/resource-table.js'
import { type InputFor, isTree, type RowOf } from '../../../schema/types.js'
import { checkoutPage, closePage } from './checkout-page.js'
import { CREATIONS, mayCreate } from './created.js'
import { hasPage, type Intent, readIntent, refusedOption } from './intent.js'
import { readOrigins } from './origins.js'
import { makeKey } from './secret.js'

type TokenRow = RowOf<typeof resources.access_token>
type TokenInput = InputFor<typeof resources.access_token>

/**
 * Rule of access tokens. They are client keys, which the pages of shops contain; the id of an access token is the key
 * itself. A client key creates payments, payment methods or processing accounts. Its intent and the permissions of
 * its maker limit it. A deleted key is refused at once. Spec: "Authentication".
 */
export function accessTokenRule(random: Random): Rule<typeof resources.access_token> {
  return {
    async create(work, input) {
      if (input.expires_at && input.expires_at <= work.realNow)
        throw invalidAttributes({ expires_at: 'Must be in the future' })
      const intent = await readIntent(input.intent)
      const origins = readOrigins(input.origins)
      authorizeMaker(work.principal, intent)
      const account = await accountOf(work, input, intent)
      const resolved = await resolvedIntent(work, intent, account)
      const expires_at = input.expires_at ?? null
      const bounds = { processing_id: account, expires_at }
      const isPage = intent.kind !== undefined && hasPage(intent.kind)
      const page = isPage ? await checkoutPage(work, resolved, bounds) : undefined
      const fixed = page?.fixed ?? resolved.fixed
      const row: TokenRow = {
        ...work.blank(resources.access_token),
        id: makeKey(work.environment, 'client', random),
        type: 'client',
        status: 'active',
        environ: work.environment,
        intent: jsonOf(shownIntent(input.intent, page?.url)),
        origins: jsonOf(origins),
        attrs: jsonOf(input.attrs),
        expires_at,
        processing_id: account,
        fixed: intent.creates ? JSON.stringify({ [intent.creates]: fixed }) : null,
        key_id: isUnbound(work.principal) ? null : work.principal.id,
      }
      await work.insert(resources.access_token, row)
      return row
    },

    async delete(work, row) {
      await closePage(work, row)
      await work.deletePlainly(resources.access_token, row)
    },
  }
}

/** Throws `Forbidden` unless the maker of a key may itself create the objects that the key creates. */
function authorizeMaker(maker: Principal, { creates }: Intent): void {
  if (creates === undefined) return
  for (const resource of CREATIONS[creates].resources) {
    authorize(maker, 'POST', resource)
    if (!mayCreate(maker, resource))
      throw new ApiError('Forbidden', `/${resource.plural} needs the role ${resource.least}`)
  }
  if (creates === 'processing_accounts' && maker.processingIds)
    throw new ApiError('Forbidden', 'A key that is narrowed to processing accounts makes no others')
}

/** The only processing account that receives payments of the key; null if the key is not bound to one. */
async function accountOf(work: Work, input: TokenInput, { fixed, path }: Intent): Promise<string | null> {
  const requested = input.processing_id ?? undefined
  const intended = fixed.processing_id
  if (requested !== undefined && intended !== undefined && intended !== requested)
    throw refusedOption([...path, 'processing_id'], `Must be ${requested}`)
  const named = requested ?? (typeof intended === 'string' ? intended : undefined)
  if (named !== undefined && !(await work.find(resources.processing_account, named)))
    throw refusedOption(requested ? ['processing_id'] : [...path, 'processing_id'], 'Not found')
  return ownAccount(work.principal, named)
}

const NAMED = [
  ['customer_id', resources.customer],
  ['account_id', resources.customer],
  ['invoice_id', resources.invoice],
  ['payment_link_id', resources.payment_link],
  ['legal_entity_id', resources.legal_entity],
] as const

/**
 * Checks that the maker of a key may see each object that its intent fixes, and that these objects and the key's
 * account agree. If the intent names an invoice, the result also fixes the invoice's customer.
 */
async function resolvedIntent(work: Work, intent: Intent, account: string | null): Promise<Intent> {
  const { fixed, path, creates } = intent
  for (const [attribute, named] of NAMED) {
    const id = fixed[attribute]
    if (typeof id === 'string' && !(await work.find(named, id)))
      throw refusedOption([...path, attribute], 'Not found')
  }
  if (creates === 'payment_methods' && work.principal.processingIds && !fixed.account_id)
    throw refusedOption([...path, 'account_id'], 'Required')
  const { payment_link_id: linkId, invoice_id: invoiceId } = fixed
  if (typeof linkId === 'string')
    refuseOtherParties(intent, account, await work.find(resources.payment_link, linkId), "the payment link's")
  if (typeof invoiceId !== 'string') return intent
  const invoice = await work.find(resources.invoice, invoiceId)
  refuseOtherParties(intent, account, invoice, "the invoice's")
  if (!invoice?.customer_id) return intent
  return { ...intent, fixed: { ...fixed, customer_id: invoice.customer_id } }
}

/** Payer and payee, of an invoice or of a payment link. */
type Parties = Pick<RowOf<typeof resources.invoice>, 'customer_id' | 'processing_id'>

function refuseOtherParties(
  { fixed, path }: Intent,
  account: string | null,
  owner: Parties | undefined,
  whose: string,
): void {
  const given = { customer_id: fixed.customer_id, processing_id: account ?? undefined }
  for (const attribute of ['customer_id', 'processing_id'] as const) {
    const own = owner?.[attribute] ?? undefined
    if (own === undefined || (given[attribute] ?? own) === own) continue
    const isIntended = fixed[attribute] !== undefined
    throw refusedOption(isIntended ? [...path, attribute] : [attribute], `Must be ${whose}`)
  }
}

/** The intent as it was sent, with the address of its page. */
function shownIntent(sent: unknown, url: string | null | undefined): unknown {
  const [kind, options] = isTree(sent) ? (Object.entries(sent)[0] ?? []) : []
  return kind === undefined || url === undefined ? sent : { [kind]: { ...(isTree(options) && options), url } }
}

function jsonOf(value: unknown): string | null {
  return value === undefined || value === null ? null : JSON.stringify(value)
}
