import { mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import process from 'node:process'
import { setImmediate } from 'node:timers/promises'
import { expect } from 'chai'
import { startOurs } from '../../bench/servers.js'
import { rejection } from '../support/rejection.js'

const LISTENING = `require('node:http').createServer().listen(Number(process.argv[4]), '127.0.0.1')`
const KILLED = `process.kill(process.pid, 'SIGKILL')`

describe('a server under measurement', () => {
  const folder = mkdtempSync(join(tmpdir(), 'payctl-bench-'))
  after(() => rmSync(folder, { recursive: true }))
  const start = async (program: string) => {
    const file = join(folder, 'server.cjs')
    writeFileSync(file, program)
    return await startOurs({}, file)
  }

  it('that is killed before it listens is reported at once', async () => {
    const { message } = await rejection(start(KILLED))
    expect(message).to.equal('The server ended with SIGKILL')
  })

  it('that was killed can be stopped without an error', async () => {
    const server = await start(LISTENING)
    process.kill(Number(server.pid), 'SIGKILL')
    while (isThere(Number(server.pid))) await setImmediate()
    await server.stop()
  })
})

/** Whether a process still exists; an ended one exists until its parent has read its exit status. */
function isThere(pid: number): boolean {
  try {
    return process.kill(pid, 0)
  } catch {
    return false
  }
}
