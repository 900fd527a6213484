import { string } from '@oclif/core/args'
import { resources } from '../../../resources/index.js'
import { registry } from '../../terminal/declared.js'
import { shapeOf } from '../../terminal/input/shape.js'

export const transactionShape = shapeOf(registry, resources.transaction)

/** The argument of every verb that works on a payment. */
export const paymentArgument = string({ required: true, description: 'id of the payment' })

/** The same where it can be chosen from a list. */
export const optionalPaymentArgument = string({
  description: 'id of the payment; chosen from a list without',
})

export function transactionPath(id: string): string {
  return `/transactions/${encodeURIComponent(id)}`
}
