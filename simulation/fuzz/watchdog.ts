import { Worker } from 'node:worker_threads'

/** Ends the process, with a word, when a request has no answer for so long: also when nothing else can run any more. */
export interface Watchdog {
  /** A request with this number begins. */
  begin(number: number): void
  /** Nothing is awaited. */
  rest(): void
  stop(): Promise<void>
}

const IDLE = -1

/** Its own thread: a query or a loop that never ends blocks the one it runs in. */
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
