import type { Chance } from '../../../platform/chance.js'
import type { Json, JsonObject } from '../../../schema/json.js'
import type { Method } from '../../../schema/resource.js'

/** Dependencies of the demo. Requests are made at the time of its clock. */
export interface DemoYear {
  /** End of the year, in milliseconds since 1970. It is the present for the shop. */
  readonly until: number
  /** Number of days before the end at which the shop opens. */
  readonly days: number
  readonly chance: Chance
  /**
   * Sends a request, as the operator `by` if given. Returns the answer, also for a decline. Throws any
   * other refusal.
   */
  send(method: Method, path: string, body: Json, by?: string): Promise<JsonObject>
  /** Sends pending events to the webhooks. */
  deliver(): Promise<void>
  /** Sets the clock, and runs the jobs that have become due. */
  reach(moment: number): Promise<void>
  /** Called after each day. */
  progress(): void
}

/** Operators of the demo shop, by their ids. */
export interface DemoStaff {
  readonly owner: string
  readonly cashier: string
}

/** The processing account of the demo, its people and its customers. */
export interface DemoShop {
  readonly id: string
  readonly staff: DemoStaff
  readonly customers: readonly string[]
}
