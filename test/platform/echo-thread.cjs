/**
 * Worker thread for tests: repeats the text of a request. It first waits until the request is cancelled
 * (`lasts`), or until the test opens `gate`. Throws the text of `fails`.
 */
const { parentPort, workerData } = require('node:worker_threads')

parentPort.on('message', ({ request: { say, gate, fails, lasts }, calledOff }) => {
  if (lasts) Atomics.wait(new Int32Array(calledOff), 0, 0)
  if (gate) Atomics.wait(new Int32Array(gate), 0, 0)
  if (fails) throw new Error(fails)
  parentPort.postMessage(`${workerData} ${say}`)
})
