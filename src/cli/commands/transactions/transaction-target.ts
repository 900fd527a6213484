import { string } from '@oclif/core/args'
import { resources } from '../../../resources/resource-table.js'
import { itemPath } from '../../terminal/command/item-path.js'
import { registry } from '../../terminal/declarations/declared-registry.js'
import { shapeOf } from '../../terminal/input/shape.js'

export const { transaction } = resources

export const transactionShape = shapeOf(registry, transaction)

/** Argument of commands that need a payment. */
export const paymentArgument = string({ required: true, description: 'id of the payment, or its ref_number' })

/** Argument of commands that offer a list of payments if it is omitted. */
export const optionalPaymentArgument = string({
  description: 'id of the payment, or its ref_number; without it, one is chosen from a list',
})

/** Text of the error for a missing payment, with examples of commands that name a payment, or find payments. */
export function whichPayment(verb: string, filter: string): string {
  return (
    `Which payment? payctl transactions ${verb} txn_…; payctl transactions list --where ${filter} shows them, ` +
    'payctl transactions find 31.50 4242 finds one'
  )
}

export function transactionPath(id: string): string {
  return itemPath('transactions', id)
}
