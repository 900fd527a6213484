import { spawnSync } from 'node:child_process'
import { readFileSync } from 'node:fs'
import { fileURLToPath } from 'node:url'

/** Loaded into what is measured, so that it says what CPU it has used. */
export const REPORTING = ['--require', fileURLToPath(new URL('report-cpu.cjs', import.meta.url))]

/** Runs Node with these arguments from start to end in a home. Throws when it fails. */
export function runNode(args: readonly string[], home: string) {
  const before = performance.now()
  const { status, stderr, output } = spawnSync(process.execPath, [...REPORTING, ...args], {
    env: { ...process.env, PAYCTL_HOME: home },
    stdio: ['ignore', 'pipe', 'pipe', 'pipe'],
    encoding: 'utf8',
  })
  if (status !== 0) throw new Error(`node ${args.join(' ')} ended with ${status}: ${stderr}`)
  return {
    milliseconds: performance.now() - before,
    /** Microseconds. */
    cpu: Number(output[3]),
  }
}

/** The memory of a process that is running, on Linux. */
export function residentMegabytes(pid: number | undefined): number {
  const kilobytes = /VmRSS:\s+(\d+)/.exec(readFileSync(`/proc/${pid}/status`, 'utf8'))?.[1]
  return Math.round(Number(kilobytes) / 1024)
}
