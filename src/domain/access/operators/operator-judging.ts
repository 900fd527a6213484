import type { OperatorJudging } from '../../../engine/core/write/core-dependencies.js'
import { batchKinds } from '../../../resources/batch-kinds.js'
import { admitForDay } from './day-limit.js'

/** What operators are judged by, beyond the declarations. */
export const operatorJudging: OperatorJudging = { batchKinds, admit: admitForDay }
