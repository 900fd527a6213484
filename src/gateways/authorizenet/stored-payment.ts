import { type Input, isTree } from '../../schema/types.js'
import type { GatewayMethod } from '../contract.js'
import { paymentOf } from './authorizenet-request.js'

/** Name of the values that the processor's script makes in a page; the documentation knows this one. */
const FROM_A_PAGE = 'COMMON.ACCEPT.INAPP.PAYMENT'

/** A method as a profile takes it: by its number, or by the nonce that the processor's script has made of it. */
export function storedPayment(method: GatewayMethod): Input | undefined {
  const { token } = method
  if (token !== undefined) return { opaqueData: { dataDescriptor: FROM_A_PAGE, dataValue: token } }
  const { payment } = paymentOf({ method })
  return isTree(payment) ? payment : undefined
}
