import { ApiError, invalidAttributes } from '../../engine/core/request/errors.js'
import type { InputByName, Rule, Work } from '../../engine/core/write/work.js'
import type { PaymentMethodRow } from '../../engine/store/database/tables.js'
import { cardBrand, cardType, isExpired } from '../../schema/card-brand.js'
import { describeBankAccount, describeCard } from '../../schema/method-description.js'
import type { Input } from '../../schema/types.js'
import { dropNumbers } from './drop-numbers.js'
import { hasForeignOwner } from './foreign-owner.js'
import { foreignGroup, groupProblems } from './method-group.js'
import { refreshAccount } from './refresh-status.js'

type MethodInput = InputByName['payment_method']

/** Spec: "Payment method". Brand, kind and description follow from the number; one default an account. */
export const paymentMethodRule: Rule<'payment_method'> = {
  async create(work, input) {
    const row = await work.createPlainly('payment_method', described(input, work.now))
    await settle(work, row)
    return row
  },

  async update(work, row, input) {
    await refuseForeign(work, row)
    refuseUpdate(row, input, work.now)
    const changed = await work.updatePlainly('payment_method', row, { ...input })
    await settle(work, changed)
    return changed
  },

  /** The number is dropped with it; what it paid keeps the mask. */
  async delete(work, row) {
    await refuseForeign(work, row)
    await dropNumbers(work, row)
    await work.deletePlainly('payment_method', row)
    if (row.account_id) await refreshAccount(work, row.account_id)
  },
}

async function refuseForeign(work: Work, row: PaymentMethodRow): Promise<void> {
  if (await hasForeignOwner(work, row))
    throw new ApiError('Forbidden', `${row.id} belongs to an account outside the scope of the key`)
}

function described(input: MethodInput, now: string): Input {
  const { type, card, bank_account: bank } = input
  if (!type) throw invalidAttributes({ type: 'Required' })
  const problems = groupProblems(type, input)
  if (problems) throw invalidAttributes(problems)
  if (type === 'bank_account') {
    const description = describeBankAccount(bank?.account_number ?? '', bank?.account_type ?? undefined)
    return { ...input, description }
  }
  const digits = card?.card_number ?? ''
  refuseExpired(card?.expiry ?? null, now)
  const brand = cardBrand(digits)
  return {
    ...input,
    description: describeCard(digits, brand),
    card: { ...card, card_brand: brand ?? null, card_type: card?.card_type ?? cardType(digits) },
  }
}

function refuseUpdate(row: PaymentMethodRow, input: MethodInput, now: string): void {
  const foreign = foreignGroup(row.type ?? 'card', input)
  if (foreign) throw invalidAttributes(foreign)
  if (row.account_id && input.account_id !== undefined && input.account_id !== row.account_id) {
    throw invalidAttributes({ account_id: 'Belongs to another account' })
  }
  const isDropped = row.card__card_number === null && row.bank_account__account_number === null
  if (isDropped && input.keep_active === 1)
    throw invalidAttributes({ keep_active: 'The number was not kept' })
  if (input.card?.expiry !== row.card__expiry) refuseExpired(input.card?.expiry ?? null, now)
}

function refuseExpired(expiry: string | null, now: string): void {
  if (expiry && isExpired(expiry, now)) throw invalidAttributes({ card: { expiry: 'Expired' } })
}

/** What a method of an account means for the account: it is the only default, and may complete its papers. */
async function settle(work: Work, row: PaymentMethodRow): Promise<void> {
  if (!row.account_id) return
  if (row.default_payment_method === 1) await unsetOtherDefaults(work, row, row.account_id)
  if (row.type === 'bank_account') await refreshAccount(work, row.account_id)
}

async function unsetOtherDefaults(work: Work, row: PaymentMethodRow, accountId: string): Promise<void> {
  for (const other of await work.findBy('payment_method', 'account_id', accountId)) {
    if (other.id !== row.id && other.default_payment_method === 1) {
      await work.change('payment_method', other.id, { default_payment_method: 0 })
    }
  }
}
