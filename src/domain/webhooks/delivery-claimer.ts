import type { WorkRunner } from '../../engine/jobs/due-job.js'
import type { AttemptQueue } from './attempt-queue.js'
import { type ClaimRequest, claimDeliveries, type DueWebhook, dueNow } from './claim-deliveries.js'
import { fanOutEvents } from './fan-out-events.js'

/** Claims deliveries for a queue, as many as it has room for, under leases. */
export class DeliveryClaimer {
  /** Receivers for which more is due than was claimed. */
  private readonly backlog = new Set<string>()
  /** Whether new events wait because no receiver has room for their deliveries. */
  private isFull = false

  constructor(
    private readonly runner: WorkRunner,
    private readonly queue: AttemptQueue,
  ) {}

  /** Whether deliveries wait for room in the queue. */
  get hasBacklog(): boolean {
    return this.isFull || this.backlog.size > 0
  }

  /** Whether deliveries that wait for room may be claimed for a receiver now. */
  canRefill(receiver: string): boolean {
    return (this.isFull || this.backlog.has(receiver)) && this.queue.claimable(receiver) > 0
  }

  /** Claims deliveries that are due. Returns whether more may be due. */
  async claimDue(): Promise<boolean> {
    const due = await this.runner.read(dueNow)
    const requests = this.requestsOf(due)
    if (requests.length === 0) return false
    const { claims, more } = await this.runner.write(
      async (work) => await claimDeliveries(work, requests, work.newId(''), this.queue.leaseEnd()),
    )
    this.queue.add(claims)
    this.backlog.clear()
    for (const { webhookId, receiver } of due) if (more.includes(webhookId)) this.backlog.add(receiver)
    return more.length > 0
  }

  /** Makes the deliveries of new events and claims them. Returns whether there were new events. */
  async claimNew(): Promise<boolean> {
    const { events, claims, isFull } = await fanOutEvents(this.runner, this.queue)
    this.queue.add(claims)
    this.isFull = isFull
    return events > 0
  }

  /** Divides the capacity of a receiver among its webhooks. */
  private requestsOf(due: readonly DueWebhook[]): ClaimRequest[] {
    const sharing = new Map<string, number>()
    for (const { receiver } of due) sharing.set(receiver, (sharing.get(receiver) ?? 0) + 1)
    return due.flatMap(({ webhookId, receiver }) => {
      const claimable = this.queue.claimable(receiver)
      const limit = Math.max(Math.floor(claimable / (sharing.get(receiver) ?? 1)), 1)
      return claimable === 0 ? [] : [{ webhookId, limit }]
    })
  }
}
