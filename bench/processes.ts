import { spawnSync } from 'node:child_process'
import { readFileSync } from 'node:fs'
import { fileURLToPath } from 'node:url'

/** Arguments of Node that load `report-cpu.cjs` into a measured process. */
export const REPORTING = ['--require', fileURLToPath(new URL('report-cpu.cjs', import.meta.url))]

/** Runs Node with these arguments in a home, and waits for its end. Throws if Node fails. */
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
    /** CPU time in microseconds. */
    cpu: Number(output[3]),
  }
}

/** Resident memory of a running process, on Linux. */
export function residentMegabytes(pid: number | undefined): number {
  const kilobytes = /VmRSS:\s+(\d+)/.exec(readFileSync(`/proc/${pid}/status`, 'utf8'))?.[1]
  return Math.round(Number(kilobytes) / 1024)
}
