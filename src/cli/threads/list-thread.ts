/** Program of a thread that reads lists for `serve`. */
import { getPriority, setPriority } from 'node:os'
import process from 'node:process'
import { parentPort, workerData } from 'node:worker_threads'
import { openApp } from '../../app.js'
import type { ApiRequest } from '../../engine/core/request/request.js'
import { isAwaited, type ThreadMessage } from '../../platform/thread-pool.js'
import type { ListAnswer, ListRequest, ListThreadSettings } from './list-threads.js'

/**
 * Nice value with which lists give way to payments where processors are few. Only on Linux, as the priority of other
 * systems is that of the whole process. A process of a lower priority may not raise it.
 */
const NICENESS = 10
if (process.platform === 'linux' && getPriority() < NICENESS) setPriority(NICENESS)

const settings: ListThreadSettings = workerData
const causes: unknown[] = []
const app = openApp({ ...settings, report: (error) => causes.push(error) })

parentPort?.on('message', (message: ThreadMessage<ListRequest>) => {
  const { environment, request } = message.request
  const whole = { ...request, isAwaited: () => isAwaited(message) }
  void answer(environment, whole).then((answered) => parentPort?.postMessage(answered))
})

async function answer(environment: ListRequest['environment'], request: ApiRequest): Promise<ListAnswer> {
  const { core } = await app.environment(environment)
  const response = await core.handle(request)
  const { status, headers, text = JSON.stringify(response.body) } = response
  return { status, headers, text, causes: causes.splice(0) }
}
