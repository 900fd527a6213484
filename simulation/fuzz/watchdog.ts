import { Worker } from 'node:worker_threads'

/**
 * Ends the process with a message if a request has no answer for too long. It works even if the main thread is blocked.
 */
export interface Watchdog {
  /** Called when the request of this number begins. */
  begin(number: number): void
  /** Called when no request is running. */
  rest(): void
  stop(): Promise<void>
}

const IDLE = -1

/** Program of the watching thread. It is separate, because an endless query or loop blocks the main thread. */
const WATCH = `
const { workerData } = require('node:worker_threads')
const number = new Int32Array(workerData.shared)
let seen = ${IDLE}
let since = Date.now()
setInterval(() => {
  const now = Atomics.load(number, 0)
  if (now !== seen || now === ${IDLE}) {
    seen = now
    since = Date.now()
  } else if (Date.now() - since > workerData.milliseconds) {
    require('node:fs').writeSync(2, 'HANG: request ' + now + ' of seed ' + workerData.seed + ' has no answer\\n')
    process.kill(process.pid, 'SIGKILL')
  }
}, 500)
`

export function watchdog(seed: number, milliseconds: number): Watchdog {
  const shared = new SharedArrayBuffer(4)
  const number = new Int32Array(shared)
  Atomics.store(number, 0, IDLE)
  const worker = new Worker(WATCH, { eval: true, workerData: { shared, seed, milliseconds }, execArgv: [] })
  return {
    begin: (n) => void Atomics.store(number, 0, n),
    rest: () => void Atomics.store(number, 0, IDLE),
    stop: async () => {
      await worker.terminate()
    },
  }
}
