import { string as argument } from '@oclif/core/args'
import { adminOperations } from '../../../resources/admin/admin-operations.js'
import { registry } from '../../terminal/declarations/declared-registry.js'
import { shapeOfAnswer } from '../../terminal/input/shape.js'

const { simulate } = adminOperations

/** Request of all commands that simulate an event of a bank. */
export const bankEvent = {
  method: 'POST',
  path: `/${simulate.path}`,
  shape: shapeOfAnswer(registry, simulate),
} as const

export const simulatedPaymentArgument = argument({
  required: true,
  description: 'id of the payment, or its ref_number',
})
