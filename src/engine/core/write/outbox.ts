import { insertRows } from '../../store/database/insert-rows.js'
import type { Tx } from '../../store/database/store.js'
import type { EventRow } from '../../store/database/tables.js'
import type { Event } from './work.js'

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

type NewEvent = Omit<EventRow, 'work'>

/** Events of one unit of work, written with its changes and delivered later. Spec: "Events". */
export class Outbox {
  private readonly events: NewEvent[] = []

  /** `principalId` is the principal that causes the events. */
  constructor(private readonly principalId: string) {}

  add(id: string, event: Event, now: string): void {
    const { trigger, object, value, processingId } = event
    this.events.push({
      id,
      trigger,
      object: object.name,
      object_id: event.id,
      value,
      processing_id: processingId,
      principal_id: this.principalId,
      created_at: now,
    })
  }

  async write(tx: Tx): Promise<void> {
    await insertRows(tx, 'events', COLUMNS, this.events)
  }
}
