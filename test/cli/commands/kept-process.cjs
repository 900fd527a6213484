/**
 * Runs commands one after another in one process, each as in a new process. A message contains the words and
 * the environment of a command; the reply is its outcome.
 */
const { run } = require('../../../bin/run.js')

for (const emitter of [process, process.stdout, process.stderr]) emitter.setMaxListeners(0)

const said = { stdout: '', stderr: '' }
for (const name of ['stdout', 'stderr'])
  process[name].write = (text, encoding, done) => {
    said[name] += text
    const written = typeof encoding === 'function' ? encoding : done
    if (written) process.nextTick(written)
    return true
  }

process.on('message', async ({ words, env }) => {
  for (const name of Object.keys(process.env)) delete process.env[name]
  Object.assign(process.env, env)
  Object.assign(said, { stdout: '', stderr: '' })
  process.exitCode = 0
  await run(...words)
  process.send({ exitCode: process.exitCode, ...said })
})
process.on('disconnect', () => process.exit())
