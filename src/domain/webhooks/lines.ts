import type { Claim } from './claim.js'

/** How much is done at once. */
export interface Room {
  /** Attempts of all receivers together. */
  readonly total: number
  /** Attempts of one receiver. */
  readonly each: number
}

/** So many times the room of a receiver is claimed ahead, so that claiming is not what takes the time. */
const AHEAD = 32

/** What waits for each receiver and how much is under way, so that a slow one takes no more than its own room. */
export class Lines {
  private readonly lines = new Map<string, { readonly waiting: Claim[]; active: number }>()
  private active = 0

  constructor(private readonly room: Room) {}

  /** Whether nothing waits and nothing is under way. */
  get isEmpty(): boolean {
    return this.lines.size === 0
  }

  /** How many more may be claimed for a receiver: none while enough waits for it. */
  wanted(receiver: string): number {
    const waiting = this.lines.get(receiver)?.waiting.length ?? 0
    return waiting < this.room.each ? this.room.each * AHEAD - waiting : 0
  }

  add(claim: Claim): void {
    this.line(claim.receiver).waiting.push(claim)
  }

  /** What may begin now: one of each receiver in turn, while there is room. */
  *begin(): Generator<Claim> {
    for (let found = true; found && this.active < this.room.total; ) {
      found = false
      for (const line of this.lines.values()) {
        if (line.active >= this.room.each || this.active >= this.room.total) continue
        const claim = line.waiting.shift()
        if (!claim) continue
        found = true
        line.active++
        this.active++
        yield claim
      }
    }
  }

  /** An attempt is over. */
  end({ receiver }: Claim): void {
    this.active--
    this.line(receiver).active--
    this.forget(receiver)
  }

  /** Takes out everything that has not begun. */
  clear(): Claim[] {
    const claims = [...this.lines.values()].flatMap(({ waiting }) => waiting.splice(0))
    for (const receiver of [...this.lines.keys()]) this.forget(receiver)
    return claims
  }

  private line(receiver: string) {
    const line = this.lines.get(receiver) ?? { waiting: [], active: 0 }
    this.lines.set(receiver, line)
    return line
  }

  private forget(receiver: string): void {
    const line = this.lines.get(receiver)
    if (line && line.active === 0 && line.waiting.length === 0) this.lines.delete(receiver)
  }
}
