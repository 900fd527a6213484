import { invalidAttributes } from '../../engine/core/request/errors.js'
import type { Work } from '../../engine/core/write/work.js'
import { prepared } from '../../engine/store/database/prepared.js'
import type { PaymentMethodRow, TransactionRow } from '../../engine/store/database/tables.js'
import type { ApprovedOutcome, Gateway, GatewayMethod } from '../../gateways/contract.js'
import { dropNumbers } from '../accounts/payment-method.js'
import { tokenPlace } from '../accounts/token-place.js'
import type { Payer } from './payer.js'

/**
 * Keeps the token that a gateway has given for a method that is kept; where its numbers are to be dropped for that, they
 * are. The networks' id of the first payment goes with every later one.
 */
export async function keepToken(
  work: Work,
  { gateway }: TransactionRow,
  method: PaymentMethodRow,
  { token, networkId }: ApprovedOutcome,
): Promise<void> {
  if (method.keep_active === 0 || (!token && (!networkId || method.network_id))) return
  const changed = await work.change('payment_method', method.id, {
    ...(token && { token_gateway: gateway, sealed_token: work.vault.seal(token, tokenPlace(method.id)) }),
    ...(networkId && !method.network_id && { network_id: networkId }),
  })
  if (!token) return
  const [configured] = await work.tx.run(numbersOf, { name: gateway ?? '' })
  if (configured?.numbers === 'tokenize') await dropNumbers(work, changed)
}

/**
 * The method as a gateway takes it: by its token where the gateway gave one, by its number otherwise. Throws
 * `InvalidAttributes` when it is known by neither.
 */
export function instrumentAt(gateway: Gateway, { instrument, method }: Payer): GatewayMethod {
  const isOwn = method.token_gateway === gateway.name
  if (instrument && (instrument.number !== '' || isOwn))
    return isOwn ? instrument : { ...instrument, token: undefined }
  throw invalidAttributes({
    payment_method_id:
      method.sealed_token === null
        ? 'Was used once and not saved'
        : `Is known to the gateway ${method.token_gateway} only, and payments go to ${gateway.name}: a new payment method is needed`,
  })
}

const numbersOf = prepared<{ name: string }, { numbers: string | null }>((db, param) =>
  db
    .selectFrom('admin_gateways')
    .select('numbers')
    .where('name', '=', param('name'))
    .where('deleted_at', 'is', null),
)
