import { adminOperations } from '../../../resources/admin/admin-operations.js'
import { registry } from '../../terminal/declarations/declared-registry.js'
import { shapeOfAnswer } from '../../terminal/input/shape.js'

const { advance_clock: advanceClock } = adminOperations

export const CLOCK = `/${advanceClock.path}`

export const clockShape = shapeOfAnswer(registry, advanceClock)
