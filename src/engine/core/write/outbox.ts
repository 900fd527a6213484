import type { Row } from '../../../schema/columns.js'
import type { Tx } from '../../store/database/store.js'
import type { EventRow } from '../../store/database/tables.js'
import { insertRows } from '../read/statements.js'
import type { Event } from './work.js'

/** So many events go in one statement; a database takes so many values at once. */
const BATCH_SIZE = 100

const COLUMNS = [
  'id',
  'trigger',
  'object',
  'object_id',
  'value',
  'processing_id',
  'principal_id',
  'created_at',
] as const satisfies readonly (keyof EventRow)[]

/** The events of one unit of work, written with its changes, to be delivered later. Spec: "Events". */
export class Outbox {
  private readonly events: EventRow[] = []

  /** `principalId` is who causes them. */
  constructor(private readonly principalId: string) {}

  add(id: string, event: Event, now: string): void {
    const { trigger, object, value, processingId } = event
    this.events.push({
      id,
      trigger,
      object,
      object_id: event.id,
      value,
      processing_id: processingId,
      principal_id: this.principalId,
      created_at: now,
    })
  }

  async write(tx: Tx): Promise<void> {
    for (let start = 0; start < this.events.length; start += BATCH_SIZE) {
      const lot = this.events.slice(start, start + BATCH_SIZE)
      const params: Row = {}
      for (const [n, event] of lot.entries()) {
        for (const column of COLUMNS) params[`${column}${n}`] = event[column]
      }
      await tx.change(insertOf(lot.length), params)
    }
  }
}

function insertOf(count: number) {
  const known = inserts.get(count) ?? insertRows('events', COLUMNS, count)
  inserts.set(count, known)
  return known
}
const inserts = new Map<number, ReturnType<typeof insertRows>>()
