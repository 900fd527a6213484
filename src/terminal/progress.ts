/** A line on a terminal that says how far something is, overwritten each time. */
export interface Progress {
  show(done: number, total: number | undefined): void
  /** Takes the line away. */
  clear(): void
}

/** Nothing is shown more often than that, in milliseconds. */
const PACE = 100

const CLEAR = '\r\u001b[2K'

export function progressOn(
  stream: { write(text: string): unknown },
  clock: { now(): number },
  noun: string,
): Progress {
  const start = clock.now()
  let last = Number.NEGATIVE_INFINITY
  return {
    show(done, total) {
      const now = clock.now()
      if (now - last < PACE) return
      last = now
      stream.write(`${CLEAR}${progressText(done, total, (now - start) / 1000, noun)}`)
    },
    clear: () => {
      if (last > Number.NEGATIVE_INFINITY) stream.write(CLEAR)
    },
  }
}

/** `12,000 of 40,000 rows (30%), 6,000/s, 5 s left`; `seconds` since the start. */
export function progressText(done: number, total: number | undefined, seconds: number, noun: string): string {
  const rate = seconds > 0 ? done / seconds : 0
  const speed = rate > 0 ? `, ${counted(Math.round(rate))}/s` : ''
  if (!total) return `${counted(done)} ${noun}${speed}`
  const left = rate > 0 ? `, ${Math.ceil(Math.max(0, total - done) / rate)} s left` : ''
  const share = Math.min(100, Math.floor((done / total) * 100))
  return `${counted(done)} of ${counted(total)} ${noun} (${share}%)${speed}${left}`
}

/** `1,234,567` */
export function counted(number: number): string {
  return String(number).replace(/\B(?=(\d{3})+$)/g, ',')
}
