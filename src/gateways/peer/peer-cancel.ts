import type { RailResponse } from '../../platform/network/rail-client.js'
import type { Credentials, FoundOutcome, GatewayOperation, NotSentOutcome, Rail } from '../contract.js'
import { UnknownOutcome } from '../unknown-outcome.js'
import { becoming, type PeerRequest } from './peer-request.js'
import { outcomeOf, type PeerTransaction, waitsForPayer } from './peer-transaction.js'

interface Calls {
  send(request: PeerRequest, credentials: Credentials): Promise<RailResponse | NotSentOutcome>
  withId(id: string, credentials: Credentials): Promise<PeerTransaction>
  withReference(reference: string, credentials: Credentials): Promise<PeerTransaction | undefined>
}

/**
 * Cancels a payment that waits for its payer, by voiding it at the peer. The answer to the void is ignored:
 * the payment is read before and after. If the payment still waits, the outcome is `cannot_say`, and a later
 * call cancels it.
 */
export function peerCancel({ send, withId, withReference }: Calls): NonNullable<Rail['cancel']> {
  return async ({ reference, type }: GatewayOperation, { gatewayId }, credentials): Promise<FoundOutcome> => {
    const before = gatewayId
      ? await withId(gatewayId, credentials)
      : await withReference(reference, credentials)
    if (!before) return 'never_seen'
    if (before.reference !== reference) throw new UnknownOutcome(`${before.id} is not ${reference}`)
    if (!waitsForPayer(before)) return outcomeOf(before, type)
    // No idempotency key: with a key, the peer would repeat a stored refusal.
    await send(becoming(before.id, 'voided'), credentials).catch(() => undefined)
    const after = await withId(before.id, credentials)
    return waitsForPayer(after) ? 'cannot_say' : outcomeOf(after, type)
  }
}
