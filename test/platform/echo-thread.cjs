/** A thread for tests: answers what it is asked, once a gate that it shares with the test is open, or when it is called off. */
const { parentPort, workerData } = require('node:worker_threads')

parentPort.on('message', ({ request: { say, gate, fails, lasts }, calledOff }) => {
  if (lasts) Atomics.wait(new Int32Array(calledOff), 0, 0)
  if (gate) Atomics.wait(new Int32Array(gate), 0, 0)
  if (fails) throw new Error(fails)
  parentPort.postMessage(`${workerData} ${say}`)
})
