import { invalidAttributes } from '../../../engine/core/request/api-error.js'
import type { Work } from '../../../engine/core/write/work.js'
import { prepared } from '../../../engine/store/database/prepared.js'
import type { PaymentMethodRow, TransactionRow } from '../../../engine/store/database/tables.js'
import type { ApprovedOutcome, GatewayMethod, MethodDescription } from '../../../gateways/contract.js'
import { resources } from '../../../resources/resource-table.js'
import { dropNumbers, sealedToken } from '../../accounts/payment-method-rule.js'
import { tokenWords } from '../../gateways/described-token.js'
import type { GatewayAccount } from '../../gateways/gateways.js'
import { chargedAmount } from '../pending/gateway-request.js'
import type { Payer } from './payer.js'

/**
 * Stores the token that a gateway returns for a stored method, and drops the method's numbers if the gateway is
 * configured so. Also stores the card network's id of the first payment, which every later payment sends.
 */
export async function keepToken(
  work: Work,
  row: TransactionRow,
  method: PaymentMethodRow,
  { token, networkId }: ApprovedOutcome,
): Promise<void> {
  const { gateway, gateway_merchant: merchant } = row
  if (method.keep_active === 0 || (!token && (!networkId || method.network_id))) return
  const changed = await work.change(resources.payment_method, method.id, {
    ...(token &&
      sealedToken(work, { id: method.id, token_gateway: gateway, token_merchant: merchant }, token)),
    ...(networkId && !method.network_id && { network_id: networkId, network_amount: chargedAmount(row) }),
  })
  if (token) await dropTokenized(work, changed)
}

/**
 * Drops the numbers of a method whose gateway has a token for it, if that gateway is configured with `numbers:
 * tokenize`.
 */
export async function dropTokenized(work: Work, method: PaymentMethodRow): Promise<PaymentMethodRow> {
  const [configured] = await work.tx.run(numbersOf, { name: method.token_gateway ?? '' })
  return configured?.numbers === 'tokenize' ? await dropNumbers(work, method) : method
}

/**
 * Stores a gateway's description of a method whose number is not stored here. Receipts, prices and the duplicate guard
 * need it.
 */
export async function noteMethod(
  work: Work,
  { gateway }: Pick<TransactionRow, 'gateway'>,
  method: PaymentMethodRow,
  described: MethodDescription,
): Promise<void> {
  if (method.last_four !== null || described.lastFour === undefined) return
  const { brand, lastFour, expiry, funding, fingerprint } = described
  const isCard = method.type !== 'bank_account'
  await work.change(resources.payment_method, method.id, {
    description: tokenWords(method.type ?? 'card', described),
    last_four: lastFour,
    ...(isCard && {
      card__card_brand: method.card__card_brand ?? brand ?? null,
      card__card_type: method.card__card_type ?? funding ?? null,
      card__expiry: method.card__expiry ?? expiry ?? null,
    }),
    ...(fingerprint !== undefined && { token_fingerprint: `${gateway}/${fingerprint}` }),
  })
}

/**
 * The method as the destination accepts it: with its token if it is from that gateway, otherwise with its number.
 * Throws `InvalidAttributes` when it has neither.
 */
export function instrumentAt(destination: GatewayAccount, { instrument, method }: Payer): GatewayMethod {
  const isOwn = isTokenOf(method, destination)
  if (instrument && (instrument.number !== '' || isOwn))
    return isOwn || instrument.token === undefined ? instrument : { ...instrument, token: undefined }
  throw invalidAttributes({
    payment_method_id:
      method.sealed_token === null
        ? 'Was used once and not saved'
        : `Is known to ${placeOf(tokenOwner(method))} only, and payments go to ${placeOf(destination)}: a new payment method is needed`,
  })
}

/**
 * Whether the token of a method can replace its number at a destination: gateways and merchants do not know each
 * other's tokens.
 */
export function isTokenOf(method: TokenColumns, { gateway, merchant }: GatewayAccount): boolean {
  return method.token_gateway === gateway && method.token_merchant === merchant
}

type TokenColumns = Pick<PaymentMethodRow, 'token_gateway' | 'token_merchant'>

function tokenOwner({ token_gateway: gateway, token_merchant: merchant }: TokenColumns): GatewayAccount {
  return { gateway: gateway ?? '', merchant }
}

function placeOf({ gateway, merchant }: GatewayAccount): string {
  return merchant === null ? `the gateway ${gateway}` : `${merchant} at the gateway ${gateway}`
}

const numbersOf = prepared<{ name: string }, { numbers: string | null }>((db, param) =>
  db
    .selectFrom('admin_gateways')
    .select('numbers')
    .where('name', '=', param('name'))
    .where('deleted_at', 'is', null),
)
