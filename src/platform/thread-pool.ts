import { Worker } from 'node:worker_threads'
import type { Timers } from './clock.js'

export interface ThreadPoolOptions {
  /** File that each thread runs. It must answer every `ThreadMessage` with one message. */
  readonly file: string
  /** Data with which a thread starts. */
  readonly workerData: () => unknown
  readonly threads: number
  /** Maximum number of waiting requests; further ones are refused while all threads are busy. */
  readonly maxWaiting: number
  /** Maximum milliseconds of a request. */
  readonly timeLimit: number
  readonly timers: Timers
}

/** Message to a thread. */
export interface ThreadMessage<Request> {
  readonly request: Request
  /**
   * Integer that becomes 1 when the answer is no longer needed. A busy thread receives no messages, but can
   * read it.
   */
  readonly calledOff: SharedArrayBuffer
}

/** Whether the answer is still needed. */
export function isAwaited({ calledOff }: ThreadMessage<unknown>): boolean {
  return Atomics.load(new Int32Array(calledOff), 0) === 0
}

/** Milliseconds between checks whether the answer of a busy thread is still needed. */
const GLANCE = 200

/** Messages for requests without an answer. */
const REASONS = {
  full: 'Too many requests wait for a thread',
  late: 'A thread took too long',
  closed: 'The threads are ended',
} as const

/** Error of a request without an answer: too many are waiting, it took too long, or the pool is closed. */
export class NoThread extends Error {
  constructor(readonly reason: keyof typeof REASONS) {
    super(REASONS[reason])
    this.name = 'NoThread'
  }
}

/** Request that waits for its answer. */
interface Waiting<Request, Answer> {
  readonly request: Request
  /** Whether the answer is still needed. */
  readonly isAwaited: () => boolean
  resolve(answer: Answer): void
  reject(error: unknown): void
}

/** Request that waits for a thread or is processed by it. */
class Job<Request, Answer> {
  private readonly calledOff = new SharedArrayBuffer(Int32Array.BYTES_PER_ELEMENT)
  private readonly endLimit: () => void
  private endGlancing: (() => void) | undefined

  constructor(
    readonly waiting: Waiting<Request, Answer>,
    private readonly timers: Timers,
    timeLimit: number,
    onLate: () => void,
  ) {
    this.endLimit = timers.after(timeLimit, () => {
      this.callOff()
      onLate()
    })
  }

  beginOn(thread: Worker): void {
    const message: ThreadMessage<Request> = { request: this.waiting.request, calledOff: this.calledOff }
    thread.postMessage(message)
    this.glance()
  }

  /** Cancels the timers of the request. */
  end(): void {
    this.endLimit()
    this.endGlancing?.()
  }

  private glance(): void {
    this.endGlancing = this.timers.after(GLANCE, () =>
      this.waiting.isAwaited() ? this.glance() : this.callOff(),
    )
  }

  private callOff(): void {
    this.end()
    Atomics.store(new Int32Array(this.calledOff), 0, 1)
    Atomics.notify(new Int32Array(this.calledOff), 0)
  }
}

/**
 * Threads that answer requests, each one at a time; further requests wait. A thread is started when it is
 * first needed, and replaced after a failure. A thread completes its request even if the answer is no
 * longer needed, unless it checks for that.
 */
export class ThreadPool<Request, Answer> {
  private readonly waiting: Job<Request, Answer>[] = []
  /** Request of each thread; undefined for an idle one. */
  private readonly threads = new Map<Worker, Job<Request, Answer> | undefined>()
  private isClosed = false

  constructor(private readonly options: ThreadPoolOptions) {}

  /** Runs a request on a thread. Throws `NoThread`, or the error of the thread. */
  run(request: Request, isAwaited: () => boolean = () => true): Promise<Answer> {
    const { maxWaiting, timeLimit, timers } = this.options
    if (this.isClosed) return Promise.reject(new NoThread('closed'))
    if (this.waiting.length >= maxWaiting) return Promise.reject(new NoThread('full'))
    return new Promise((resolve, reject) => {
      const job = new Job<Request, Answer>({ request, isAwaited, resolve, reject }, timers, timeLimit, () => {
        const at = this.waiting.indexOf(job)
        if (at >= 0) this.waiting.splice(at, 1)
        reject(new NoThread('late'))
      })
      this.waiting.push(job)
      this.next()
    })
  }

  /** Ends all threads. Waiting requests are refused, and no more threads are started. */
  async close(): Promise<void> {
    this.isClosed = true
    for (const job of this.waiting.splice(0)) {
      job.end()
      job.waiting.reject(new NoThread('closed'))
    }
    await Promise.all([...this.threads.keys()].map((thread) => thread.terminate()))
  }

  private next(): void {
    while (this.waiting.length > 0) {
      const thread = this.idleThread()
      if (!thread) return
      const job = this.waiting.shift()
      if (!job?.waiting.isAwaited()) {
        job?.end()
        job?.waiting.reject(new NoThread('late'))
        continue
      }
      this.threads.set(thread, job)
      thread.ref()
      job.beginOn(thread)
    }
  }

  private idleThread(): Worker | undefined {
    for (const [thread, job] of this.threads) if (!job) return thread
    return this.threads.size < this.options.threads ? this.start() : undefined
  }

  private start(): Worker {
    const thread = new Worker(this.options.file, { workerData: this.options.workerData() })
    this.threads.set(thread, undefined)
    thread.on('message', (answer: Answer) => {
      const job = this.threads.get(thread)
      this.threads.set(thread, undefined)
      thread.unref()
      job?.end()
      job?.waiting.resolve(answer)
      this.next()
    })
    thread.once('error', (error) => this.drop(thread, error))
    thread.once('exit', () => this.drop(thread, new Error('A thread ended')))
    // Only a thread with a request keeps the process alive.
    thread.unref()
    return thread
  }

  /** Removes a failed thread. */
  private drop(thread: Worker, error: Error): void {
    const job = this.threads.get(thread)
    this.threads.delete(thread)
    job?.end()
    job?.waiting.reject(this.isClosed ? new NoThread('closed') : error)
    this.next()
  }
}
