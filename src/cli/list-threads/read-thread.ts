/** Program of a thread that answers requests which read: lists for `serve`, the sealed books for `verify`. */
import { getPriority, setPriority } from 'node:os'
import process from 'node:process'
import { parentPort, workerData } from 'node:worker_threads'
import { openApp } from '../../app.js'
import type { ApiRequest } from '../../engine/core/request/request.js'
import { isAwaited, type ThreadMessage } from '../../platform/thread-pool.js'
import type { ReadAnswer, ReadRequest, ReadThreadSettings } from './read-request.js'

/**
 * Nice value of the thread, so that payments get CPU time before lists. Set only on Linux, because elsewhere the
 * priority belongs to the whole process. If the value is already higher, it stays, because lowering it needs special
 * rights.
 */
const NICENESS = 10
if (process.platform === 'linux' && getPriority() < NICENESS) setPriority(NICENESS)

const settings: ReadThreadSettings = workerData
const causes: unknown[] = []
const app = openApp({ ...settings, report: (error) => causes.push(error) })

parentPort?.on('message', (message: ThreadMessage<ReadRequest>) => {
  const { environment, request } = message.request
  const whole = { ...request, isAwaited: () => isAwaited(message) }
  void answer(environment, whole).then((answered) => parentPort?.postMessage(answered))
})

async function answer(environment: ReadRequest['environment'], request: ApiRequest): Promise<ReadAnswer> {
  const { core } = await app.environment(environment)
  const response = await core.handle(request)
  const { status, headers, text = JSON.stringify(response.body) } = response
  return { status, headers, text, causes: causes.splice(0) }
}
