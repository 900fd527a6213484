/** A thread for tests: answers what it is asked, once a gate that it shares with the test is open. */
const { parentPort, workerData } = require('node:worker_threads')

parentPort.on('message', ({ say, gate, fails }) => {
  if (gate) Atomics.wait(new Int32Array(gate), 0, 0)
  if (fails) throw new Error(fails)
  parentPort.postMessage(`${workerData} ${say}`)
})
