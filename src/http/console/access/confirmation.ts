import { type ConsoleAnswer, type ConsoleRequest, consoleAddress } from '../console-page.js'
import { accessAddress } from './goal.js'

/**
 * Redirects to the page that requires a proof again; undefined if the operator's last proof is recent. Pages call it
 * for GET and POST of forms about keys, gateways, operators, payout bank accounts and refunds in the live environment:
 * `const detour = expectConfirmed(request); if (detour) return detour`.
 */
export function expectConfirmed({ visitor, path, query }: ConsoleRequest): ConsoleAnswer | undefined {
  const { session, environment } = visitor
  if (session.isConfirmed) return undefined
  const here = consoleAddress(environment, path, query)
  return { kind: 'see', address: accessAddress(environment, 'confirm', here) }
}
