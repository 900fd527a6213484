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

describe('a server that is measured', () => {
  const folder = mkdtempSync(join(tmpdir(), 'payctl-bench-'))
  after(() => rmSync(folder, { recursive: true }))
  const start = async (program: string) => {
    const file = join(folder, 'server.cjs')
    writeFileSync(file, program)
    return await startOurs({}, file)
  }

  it('and was killed before it listened is not waited for', async () => {
    const { message } = await rejection(start(KILLED))
    expect(message).to.equal('The server ended with SIGKILL')
  })

  it('and was killed since is stopped already', async () => {
    const server = await start(LISTENING)
    process.kill(Number(server.pid), 'SIGKILL')
    while (isThere(Number(server.pid))) await setImmediate()
    await server.stop()
  })
})

/** Whether a process was not yet waited for by the one that started it. */
function isThere(pid: number): boolean {
  try {
    return process.kill(pid, 0)
  } catch {
    return false
  }
}
