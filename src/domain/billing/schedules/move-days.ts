import type { Work } from '../../../engine/core/write/work.js'
import { moveCollecting } from '../invoices/collecting-days.js'
import { moveDueDates } from '../invoices/overdue.js'
import { moveSlots } from './next-slot.js'

/** The days of a processing account begin and end at other times: it, or its organization, is in another time zone. */
export async function moveDays(work: Work, processingId: string): Promise<void> {
  await moveDueDates(work, processingId)
  await moveSlots(work, processingId)
  await moveCollecting(work, processingId)
}
