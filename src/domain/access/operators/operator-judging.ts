import type { OperatorJudging } from '../../../engine/core/write/core-dependencies.js'
import { batchKinds } from '../../../resources/batch-kinds.js'
import { admitForDay } from './day-limit.js'

/** Checks on operators that the declarations do not contain: kinds of batch rows and the limit of a day. */
export const operatorJudging: OperatorJudging = { batchKinds, admit: admitForDay }
