import { spawn } from 'node:child_process'
import { cpSync, mkdirSync, mkdtempSync, readdirSync, rmSync, symlinkSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import process from 'node:process'
import type { Mutation } from './mutation.js'
import { readSource } from './program.js'

/** Result of a test run on a copy of the tree. */
export interface Verdict {
  readonly result: 'passed' | 'failed' | 'hung'
  /** Title of the first failed test, or the number of passed tests. */
  readonly by: string
  readonly milliseconds: number
}

/** A copy of the source tree, in which one mutation at a time is tested. */
export interface Bench {
  /** Runs test files on the copy, with a mutation if one is given. `limit` is in milliseconds. */
  judge(specs: readonly string[], limit: number, mutation?: Mutation): Promise<Verdict>
  remove(): void
}

const LEFT_OUT = new Set(['.git', 'node_modules'])

export function openBench(root: string): Bench {
  const folder = mkdtempSync(join(tmpdir(), 'payctl-mutations-'))
  const tree = join(folder, 'tree')
  const temporary = join(folder, 'tmp')
  mkdirSync(temporary)
  cpSync(root, tree, {
    recursive: true,
    filter: (path) => !LEFT_OUT.has(path.slice(root.length + 1)),
  })
  linkPackages(join(root, 'node_modules'), join(tree, 'node_modules'))
  return {
    async judge(specs, limit, mutation) {
      const original = mutation && readSource(tree, mutation.file)
      if (mutation) writeFileSync(join(tree, mutation.file), mutation.text)
      try {
        return await runMocha(tree, temporary, specs, limit)
      } finally {
        if (mutation && original !== undefined) writeFileSync(join(tree, mutation.file), original)
      }
    },
    remove: () => rmSync(folder, { recursive: true, force: true }),
  }
}

/** Links all packages into the copy. The cache of compiled tests is not linked, because each tree needs its own. */
function linkPackages(from: string, to: string): void {
  mkdirSync(to)
  for (const name of readdirSync(from)) if (name !== '.cache') symlinkSync(join(from, name), join(to, name))
}

/** Options of mocha: one process, which ends at the first failure. A test that takes two minutes has failed. */
const OPTIONS = ['--no-parallel', '--bail', '--timeout', '120000']

async function runMocha(
  tree: string,
  temporary: string,
  specs: readonly string[],
  limit: number,
): Promise<Verdict> {
  const begun = Date.now()
  const mocha = spawn(
    process.execPath,
    [
      'node_modules/mocha/bin/mocha.js',
      ...OPTIONS,
      '--reporter',
      './scripts/mutations/reporter.cjs',
      ...specs,
    ],
    {
      cwd: tree,
      env: { ...process.env, PAYCTL_TEST_DATABASES: 'sqlite', TMPDIR: temporary },
      detached: true,
      stdio: ['ignore', 'pipe', 'pipe'],
    },
  )
  let output = ''
  for (const stream of [mocha.stdout, mocha.stderr]) {
    stream.setEncoding('utf8')
    stream.on('data', (text: string) => {
      output += text
    })
  }
  let isHung = false
  const giveUp = setTimeout(() => {
    isHung = true
    end(mocha.pid)
  }, limit)
  const code = await new Promise<number | null>((resolve) => mocha.on('close', resolve))
  clearTimeout(giveUp)
  const milliseconds = Date.now() - begun
  if (isHung) return { result: 'hung', by: `no end after ${limit / 1000} s`, milliseconds }
  const { passed, failed } = outcomeIn(output)
  if (code === 0 && passed > 0) return { result: 'passed', by: `${passed} tests`, milliseconds }
  return { result: 'failed', by: failed ?? `does not run: ${errorIn(output)}`, milliseconds }
}

/** Kills a process and all processes that it started. */
function end(pid: number | undefined): void {
  if (pid !== undefined) process.kill(-pid, 'SIGKILL')
}

interface Outcome {
  readonly passed: number
  readonly failed: string | null
}

/** Reads the outcome from the reporter's last line. If that line is missing, no test has passed. */
function outcomeIn(output: string): Outcome {
  const reported = output.split('\n').findLast((line) => line.startsWith(MARK))
  return reported ? JSON.parse(reported.slice(MARK.length)) : { passed: 0, failed: null }
}

const MARK = 'OUTCOME '

function errorIn(output: string): string {
  return (output.split('\n').find((line) => /Error\b/.test(line)) ?? output.slice(0, 200)).trim()
}
