import { string as argument } from '@oclif/core/args'
import { adminOperations } from '../../resources/admin-operations.js'
import { shapeOfAnswer } from '../../terminal/shape.js'
import { registry } from '../declared.js'

const { simulate } = adminOperations

/** What every verb of simulation asks for. */
export const happening = {
  method: 'POST',
  path: `/${simulate.path}`,
  shape: shapeOfAnswer(registry, simulate),
} as const

export const paymentArgument = argument({ required: true, description: 'id of the payment' })
