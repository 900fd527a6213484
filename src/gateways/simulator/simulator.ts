import type { EmbeddedGateway } from '../contract.js'
import { checkAddress } from './address-check.js'
import { declineReason } from './test-numbers.js'

/**
 * The gateway of the test environment: moves no money, decides by the documented test numbers and addresses, and
 * approves everything else. Bank accounts have no address check.
 */
export const simulator: EmbeddedGateway = {
  kind: 'embedded',
  name: 'simulator',
  perform({ method, amount }) {
    if (method?.type !== 'card') return { result: 'approved', amount, avs: null }
    const avs = checkAddress(method)
    const reason = declineReason(method.number)
    return reason ? { result: 'declined', statusCode: reason, avs } : { result: 'approved', amount, avs }
  },
}
