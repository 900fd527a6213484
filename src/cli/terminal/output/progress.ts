import type { Clock } from '../../../platform/clock.js'
import { cleanLines } from './clean.js'

/** Screen on which progress is shown. */
export interface ProgressScreen {
  readonly isTTY?: boolean
  readonly columns?: number
  write(text: string): unknown
}

/** Milliseconds between two updates of the bar. */
const EVERY = 150
const WIDTH = 24
/** Sequence that moves to the start of the line and clears it. */
const CLEAR = '\r\u001b[2K'

/** A progress bar with the rate and the remaining time. Without a screen it prints no output. */
export class Progress {
  private readonly began: number
  private shown = Number.NEGATIVE_INFINITY
  private done = 0
  private failed = 0
  private declined = 0

  constructor(
    private readonly total: number,
    private readonly screen: ProgressScreen | undefined,
    private readonly clock: Clock,
  ) {
    this.began = clock.now()
  }

  add(done: number, failed: number, declined = 0): void {
    this.done += done
    this.failed += failed
    this.declined += declined
    const now = this.clock.now()
    if (now - this.shown < EVERY) return
    this.shown = now
    this.screen?.write(CLEAR + this.line(now - this.began))
  }

  /** Prints a line above the bar. */
  say(text: string): void {
    this.screen?.write(`${CLEAR}${cleanLines(text)}\n`)
  }

  /** Clears the bar, if it was shown. */
  end(): void {
    if (Number.isFinite(this.shown)) this.screen?.write(CLEAR)
  }

  /** The bar after this time. */
  line(milliseconds: number): string {
    const part = this.total === 0 ? 1 : Math.min(1, this.done / this.total)
    const full = Math.round(part * WIDTH)
    const rate = (this.done / Math.max(1, milliseconds)) * 1000
    const left = rate > 0 ? timeText((this.total - this.done) / rate) : '–'
    const words = [
      `${'█'.repeat(full)}${'░'.repeat(WIDTH - full)} ${Math.floor(part * 100)}%`,
      `${groupedDigits(this.done)}/${groupedDigits(this.total)}`,
      `${groupedDigits(Math.round(rate))}/s`,
      `${left} left`,
      this.declined > 0 ? `${groupedDigits(this.declined)} declined` : '',
      this.failed > 0 ? `${groupedDigits(this.failed)} failed` : '',
    ]
    return words
      .filter((word) => word !== '')
      .join('  ')
      .slice(0, this.screen?.columns ?? 80)
  }
}

/** Digits in groups of three: `100,000` */
export function groupedDigits(count: number): string {
  return String(count).replace(/\B(?=(\d{3})+$)/g, ',')
}

function timeText(seconds: number): string {
  const whole = Math.ceil(seconds)
  const minutes = Math.floor(whole / 60)
  return `${minutes}:${String(whole % 60).padStart(2, '0')}`
}
