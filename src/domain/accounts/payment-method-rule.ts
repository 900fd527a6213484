import { ApiError, invalidAttributes } from '../../engine/core/request/api-error.js'
import type { Rule, Work } from '../../engine/core/write/work.js'
import type { PaymentMethodRow } from '../../engine/store/database/tables.js'
import { sealedPlace } from '../../engine/store/vault/sealed-columns.js'
import type { Place } from '../../engine/store/vault/vault.js'
import { resources } from '../../resources/resource-table.js'
import { cardBrand, cardType, isExpired } from '../../schema/card-brand.js'
import type { JsonObject } from '../../schema/json.js'
import { describeBankAccount, describeCard } from '../../schema/method-description.js'
import type { Input, InputFor } from '../../schema/types.js'
import { lastDigits } from '../../schema/wire.js'
import {
  descriptionOf,
  type GatewayToken,
  readGatewayToken,
  tokenWords,
} from '../gateways/described-token.js'
import type { Gateways } from '../gateways/gateways.js'
import { lookUpToken } from '../gateways/look-up-token.js'
import { isRenewed, liftBar } from './barred-method.js'
import { outside, type SavedMethod, savedMethod } from './client-method.js'
import { noteDepositMethod } from './deposit-method.js'
import { hasChanged, refreshAccount } from './processing-status.js'

type MethodInput = InputFor<typeof resources.payment_method>

/**
 * Rule of payment methods. Spec: "Payment method". Brand, kind and description follow from the number. An account has
 * at most one default method.
 */
export function paymentMethodRule(
  gateways: Gateways,
  saveAtGateway: SaveAtGateway,
): Rule<typeof resources.payment_method> {
  return {
    prepare(input, preparing) {
      if (!input.gateway_token) return input
      return lookUpToken(gateways, input, preparing).then(() => input)
    },

    async create(work, sent) {
      const saved = savedMethod(work.principal, sent)
      const input = saved?.input ?? sent
      const { account_id: accountId, default_payment_method: isDefault } = input
      const token = gatewayTokenOf(input)
      // A visitor of a page might send another person's token. So a token of a page counts only if it was looked up
      // at its gateway before.
      if (token && work.principal.kind === 'client' && !descriptionOf(input.gateway_token))
        throw outside(['gateway_token'], 'Not allowed')
      const whole = described(input, work.now, token !== undefined)
      const isDefaultNow = !saved && accountId && isDefault === 1
      if (isDefaultNow) await unsetDefault(work, accountId)
      const created = await work.createPlainly(
        resources.payment_method,
        saved ? { ...whole, default_payment_method: 0 } : whole,
      )
      const row = token ? await setToken(work, created, token, input.gateway_token) : created
      if (saved && row.keep_active !== 0) return await save(work, row, { saved, saveAtGateway })
      await updateAccount(work, row)
      return row
    },

    /** A caller that does not see a method's account may only send the method back unchanged. */
    async update(work, row, input) {
      refuseUpdate(row, input, work.now)
      const token = gatewayTokenOf(input)
      const { account_id: accountId = row.account_id, default_payment_method: isDefault } = input
      if (accountId && (isDefault ?? row.default_payment_method) === 1)
        await unsetDefault(work, accountId, row.id)
      const updated = await work.updatePlainly(resources.payment_method, row, { ...input })
      const replaced = token ? await setToken(work, updated, token, input.gateway_token) : updated
      const changed = token || isRenewed(row, replaced) ? await liftBar(work, replaced) : replaced
      if (!hasChanged(work.model.get('payment_method'), row, changed)) return changed
      await refuseForeign(work, row)
      await updateAccount(work, changed)
      return changed
    },

    /** The number is deleted, too; transactions with the method keep the mask. */
    async delete(work, row) {
      await refuseForeign(work, row)
      await dropNumbers(work, row)
      await work.deletePlainly(resources.payment_method, row)
      if (row.type === 'bank_account') await noteDepositMethod(work, row)
      if (row.account_id) await refreshAccount(work, row.account_id)
    },
  }
}

/**
 * Records the payer's consent, with its time and network address. Then stores the method at the gateway that is to
 * charge it.
 */
async function save(
  work: Work,
  { id, account_id: accountId }: PaymentMethodRow,
  { saved, saveAtGateway }: { readonly saved: SavedMethod; readonly saveAtGateway: SaveAtGateway },
): Promise<PaymentMethodRow> {
  const { input, consent, link = null } = saved
  const consented = await work.change(resources.payment_method, id, {
    consent__text: consent,
    consent__given_at: work.now,
    consent__address: work.principal.address ?? null,
    saved_by: link,
  })
  const isDefault = accountId !== null && input.default_payment_method === 1
  const cardCode = input.card?.card_code ?? undefined
  return await work.asSystem(() => saveAtGateway(work, consented, { cardCode, isDefault }))
}

/** Facts of a method that a payer saves on a page. */
interface Saving {
  readonly cardCode: string | undefined
  /** Whether the method becomes the default of its account once it is stored. */
  readonly isDefault: boolean
}

/** Stores a method that a payer saves on a page at the gateway that is to charge it. */
export type SaveAtGateway = (work: Work, row: PaymentMethodRow, saving: Saving) => Promise<PaymentMethodRow>

/** Makes a method the default of its account, instead of another one. */
export async function makeDefault(work: Work, row: PaymentMethodRow): Promise<PaymentMethodRow> {
  if (row.account_id === null) return row
  await unsetDefault(work, row.account_id, row.id)
  const changed = await work.change(resources.payment_method, row.id, { default_payment_method: 1 })
  await updateAccount(work, changed)
  return changed
}

async function refuseForeign(work: Work, row: PaymentMethodRow): Promise<void> {
  if (await hasForeignOwner(work, row))
    throw new ApiError('Forbidden', `${row.id} belongs to an account outside the scope of the key`)
}

function described(input: MethodInput, now: string, hasToken: boolean): Input {
  const { type, card, bank_account: bank } = input
  if (!type) throw invalidAttributes({ type: 'Required' })
  const problems = groupProblems(type, input, hasToken)
  if (problems) throw invalidAttributes(problems)
  if (type === 'bank_account') {
    if (hasToken && !bank?.account_number) return describedByToken(input)
    const number = bank?.account_number ?? ''
    const description = describeBankAccount(number, bank?.account_type ?? undefined)
    return { ...input, description, last_four: lastDigits(number) }
  }
  if (hasToken && !card?.card_number) return describedByToken(input)
  const digits = card?.card_number ?? ''
  refuseExpired(card?.expiry ?? null, now)
  const brand = cardBrand(digits)
  // `Object.assign`, because adding names to an object that begins with a spread is slow.
  return Object.assign({}, input, {
    description: describeCard(digits, brand),
    last_four: lastDigits(digits),
    card: Object.assign({}, card, {
      card_brand: brand ?? null,
      card_type: card?.card_type ?? cardType(digits),
    }),
  })
}

/** Describes a method without a number by what the gateway reports about its token. */
function describedByToken(input: MethodInput): Input {
  return { ...input, description: tokenWords(input.type ?? 'card', descriptionOf(input.gateway_token) ?? {}) }
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

/**
 * Updates the account of a method: a bank account may complete the account's requirements, and may receive its
 * deposits.
 */
async function updateAccount(work: Work, row: PaymentMethodRow): Promise<void> {
  if (row.type === 'bank_account' || row.default_payment_method === 1) await noteDepositMethod(work, row)
  if (row.account_id && row.type === 'bank_account') await refreshAccount(work, row.account_id)
}

/**
 * Ends the default of another method of an account. The account is locked, so that two concurrent requests take
 * turns; an index of the database allows only one default.
 */
async function unsetDefault(work: Work, accountId: string, newId?: string): Promise<void> {
  if (!(await work.lock(resources.account, accountId))) return
  for (const other of await work.findBy(resources.payment_method, 'account_id', accountId))
    if (other.id !== newId && other.default_payment_method === 1)
      await work.change(resources.payment_method, other.id, { default_payment_method: 0 })
}

type MethodType = 'card' | 'bank_account'

const REQUIRED = {
  card: ['card_number', 'expiry'],
  bank_account: ['account_number', 'routing_number', 'account_type'],
} as const

/**
 * Problems with the groups of a new payment method: the group of its type must be filled, the other must not be sent.
 * Returns `details`, or undefined. Spec: "Operations on specific resources", card and bank account payments.
 */
export function groupProblems(
  type: MethodType,
  input: MethodInput,
  hasToken = false,
): JsonObject | undefined {
  const foreign = foreignGroup(type, input)
  if (hasToken) return foreign
  const problems = foreign ?? {}
  const group: Readonly<Record<string, unknown>> = input[type] ?? {}
  const missing = REQUIRED[type].filter((name) => (group[name] ?? null) === null)
  if (missing.length > 0) problems[type] = Object.fromEntries(missing.map((name) => [name, 'Required']))
  return Object.keys(problems).length > 0 ? problems : undefined
}

/** Problem if attributes were sent for the other type of method. A group without values counts as not sent. */
function foreignGroup(type: MethodType, input: MethodInput): JsonObject | undefined {
  const other = type === 'card' ? 'bank_account' : 'card'
  const isSent = Object.values(input[other] ?? {}).some((value) => (value ?? null) !== null)
  return isSent ? { [other]: `Must not be sent with type ${type}` } : undefined
}

/** The token that replaces the number at a gateway, if one is sent. Throws `InvalidAttributes`. */
function gatewayTokenOf({ gateway_token: sent }: MethodInput): GatewayToken | undefined {
  if (sent === undefined || sent === null) return undefined
  const token = readGatewayToken(sent)
  if (token) return token
  throw invalidAttributes({ gateway_token: 'Must be {"gateway":"name","token":"text"}' })
}

/**
 * Encrypts a token, and stores what its gateway reports about the method. The expiry is not checked here, because the
 * gateway checks it.
 */
async function setToken(
  work: Work,
  { id, type, card__card_type: funded }: PaymentMethodRow,
  { gateway, merchant, token }: GatewayToken,
  sent: unknown,
): Promise<PaymentMethodRow> {
  const { brand, lastFour, expiry, funding, fingerprint } = descriptionOf(sent) ?? {}
  return await work.change(resources.payment_method, id, {
    ...sealedToken(work, { id, token_gateway: gateway, token_merchant: merchant }, token),
    token_fingerprint: fingerprint === undefined ? null : `${gateway}/${fingerprint}`,
    ...(lastFour !== undefined && { last_four: lastFour }),
    ...(type === 'card' && {
      ...(brand !== undefined && { card__card_brand: brand }),
      ...(expiry !== undefined && { card__expiry: expiry }),
      ...(funding !== undefined && { card__card_type: funded ?? funding }),
    }),
  })
}

/** Columns of an encrypted token. It can be decrypted only for the gateway and the merchant that issued it. */
export function sealedToken(
  { vault }: Work,
  method: TokenOwner,
  token: string,
): Omit<TokenOwner, 'id'> & Pick<PaymentMethodRow, 'sealed_token'> {
  const { token_gateway, token_merchant } = method
  return { token_gateway, token_merchant, sealed_token: vault.seal(token, tokenPlace(method)) }
}

type TokenOwner = Pick<PaymentMethodRow, 'id' | 'token_gateway' | 'token_merchant'>

/** Place of a payment method's encrypted token: the row, column and owner to which the encryption is bound. */
export function tokenPlace(method: TokenOwner): Place {
  return sealedPlace('payment_methods', 'sealed_token', method)
}

/**
 * Deletes the encrypted numbers of a method. The attributes by which it is shown and found remain. See
 * docs/interface.md, "Sensitive data".
 */
export async function dropNumbers(work: Work, row: PaymentMethodRow): Promise<PaymentMethodRow> {
  return await work.change(resources.payment_method, row.id, {
    card__card_number: null,
    bank_account__account_number: null,
    bank_account__routing_number: null,
  })
}

/**
 * Whether a caller with a narrowed scope sees a method only because the method paid one of the caller's processing
 * accounts. The method's owner is then outside the scope, so the caller may not use the method again, change or delete
 * it.
 */
export async function hasForeignOwner(work: Work, { account_id: owner }: PaymentMethodRow): Promise<boolean> {
  if (!work.principal.processingIds || owner === null) return false
  return (await work.find(resources.account, owner)) === undefined
}
