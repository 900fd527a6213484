import { adminOperations } from '../../resources/admin-operations.js'
import { shapeOfAnswer } from '../../terminal/shape.js'
import { registry } from '../declared.js'

const { advance_clock: advanceClock } = adminOperations

export const CLOCK = `/${advanceClock.path}`

export const clockShape = shapeOfAnswer(registry, advanceClock)
