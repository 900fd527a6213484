import { authorize } from '../../../engine/core/query/authorize.js'
import { invalidAttributes } from '../../../engine/core/request/api-error.js'
import { ownAccount } from '../../../engine/core/request/principal.js'
import type { Rule, Work } from '../../../engine/core/write/work.js'
import type { Random } from '../../../platform/random.js'
import { resources } from '../../../resources/resource-table.js'
import type { Registry } from '../../../schema/registry.js'
import type { Input, InputFor, RowOf } from '../../../schema/types.js'
import { checkoutPage, closePage } from './checkout-page.js'
import { fixedBy } from './intent.js'
import { makeKey } from './secret.js'

type TokenRow = RowOf<typeof resources.access_token>
type TokenInput = InputFor<typeof resources.access_token>

/**
 * Client keys, which pages contain: the id of an access token is the key itself. A client key creates payments, bound
 * by its intent and by the permissions of its maker. A deleted key is refused at once. Spec: "Authentication".
 */
export function accessTokenRule(random: Random, registry: Registry): Rule<typeof resources.access_token> {
  return {
    async create(work, input) {
      if (input.expires_at && input.expires_at <= work.realNow)
        throw invalidAttributes({ expires_at: 'Must be in the future' })
      const fixed = await fixedBy(registry, input.intent)
      if (fixed) authorize(work.principal, 'POST', resources.transaction)
      const bound = fixed && (await withCustomer(work, fixed))
      const account = await accountOf(work, input, fixed)
      const expires_at = input.expires_at ?? null
      const page =
        bound &&
        (await checkoutPage(work, input.intent, { fixed: bound, processing_id: account, expires_at }))
      const row: TokenRow = {
        ...work.blank(resources.access_token),
        id: makeKey(work.environment, 'client', random),
        type: 'client',
        status: 'active',
        environ: work.environment,
        intent: jsonOf(page?.intent ?? input.intent),
        attrs: jsonOf(input.attrs),
        expires_at,
        processing_id: account,
        fixed: jsonOf(page?.fixed ?? bound),
        key_id: work.principal.kind === 'operator' ? null : work.principal.id,
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

/** The only processing account that the key pays to, if it is bound to one. */
async function accountOf(work: Work, input: TokenInput, fixed: Input = {}): Promise<string | null> {
  const requested = input.processing_id ?? undefined
  const intended = fixed.processing_id
  if (requested !== undefined && intended !== undefined && intended !== requested)
    throw invalidAttributes({ intent: { processing_id: `Must be ${requested}` } })
  const named = requested ?? (typeof intended === 'string' ? intended : undefined)
  if (named !== undefined && !(await work.find(resources.processing_account, named)))
    throw invalidAttributes(
      requested ? { processing_id: 'Not found' } : { intent: { processing_id: 'Not found' } },
    )
  return ownAccount(work.principal, named)
}

const NAMED = [
  ['customer_id', resources.customer],
  ['invoice_id', resources.invoice],
  ['payment_link_id', resources.payment_link],
] as const

/** Checks that the maker of a key may see each object that its intent fixes; an invoice adds its customer. */
async function withCustomer(work: Work, fixed: Input): Promise<Input> {
  for (const [attribute, named] of NAMED) {
    const id = fixed[attribute]
    if (typeof id === 'string' && !(await work.find(named, id)))
      throw invalidAttributes({ intent: { [attribute]: 'Not found' } })
  }
  const invoice =
    typeof fixed.invoice_id === 'string' ? await work.find(resources.invoice, fixed.invoice_id) : undefined
  if (!invoice?.customer_id) return fixed
  if (fixed.customer_id !== undefined && fixed.customer_id !== invoice.customer_id)
    throw invalidAttributes({ intent: { customer_id: "Must be the invoice's" } })
  return { ...fixed, customer_id: invoice.customer_id }
}

function jsonOf(value: unknown): string | null {
  return value === undefined || value === null ? null : JSON.stringify(value)
}
