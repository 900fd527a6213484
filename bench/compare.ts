import { execFileSync, spawnSync } from 'node:child_process'
import { mkdirSync, mkdtempSync, readFileSync, symlinkSync } from 'node:fs'
import { join } from 'node:path'
import process from 'node:process'
import { fileURLToPath } from 'node:url'
import { median } from './median.js'
import { root } from './setting.js'
import { type Row, renderCells } from './table.js'

/** Share by which a ratio may become worse. A larger difference fails. */
const LIMIT = 1 / 5

interface Comparison {
  readonly names: readonly string[]
  readonly rounds: number
  /** Whether there is only one short round. A ratio then counts as worse only if its CPU time is worse, too. */
  readonly isShort: boolean
}

/**
 * Measures this tree and another commit alternately, each against the references in its own run, and compares the
 * ratios. Ratios hardly depend on the load of the machine. The other commit uses the packages of its own lock file.
 * `ref` is any name of a commit that git accepts.
 */
export function compareWith(ref: string, { names, rounds, isShort }: Comparison) {
  const parent = join(root, '.payctl', 'bench')
  mkdirSync(parent, { recursive: true })
  const tree = mkdtempSync(join(parent, 'compare-'))
  git('worktree', 'add', '--force', '--detach', tree, ref)
  try {
    if (lockOf(tree) === lockOf(root)) symlinkSync(join(root, 'node_modules'), join(tree, 'node_modules'))
    else execFileSync('npm', ['ci'], { cwd: tree, stdio: 'inherit' })
    execFileSync(process.execPath, ['scripts/build.mjs'], { cwd: tree, stdio: 'inherit' })
    const measured = Array.from({ length: rounds }, () => ({
      before: measure(tree, names, isShort),
      now: measure(root, names, isShort),
    }))
    const rows = (measured[0]?.now ?? []).map((row, index) =>
      changeOf(
        row,
        measured.flatMap(({ before, now }) => {
          const old = before[index]
          const current = now[index]
          return old && current ? [{ before: old, now: current }] : []
        }),
        isShort,
      ),
    )
    const head = ['what', `ratio at ${ref}`, 'now', 'change', `CPU at ${ref}`, 'now', 'change', '']
    return {
      table: renderCells([head, ...rows.map(({ cells }) => cells)]),
      isWorse: rows.some((row) => row.isWorse),
    }
  } finally {
    git('worktree', 'remove', '--force', tree)
  }
}

/** Text of a tree's lock file. A tree with another lock file gets its own installation of packages. */
function lockOf(tree: string): string {
  return readFileSync(join(tree, 'package-lock.json'), 'utf8')
}

function git(...args: readonly string[]): void {
  execFileSync('git', args, { cwd: root, stdio: ['ignore', 'ignore', 'inherit'] })
}

/** Runs the benchmark on a tree in a separate process, and returns its rows. A missed goal does not fail here. */
function measure(tree: string, names: readonly string[], isShort: boolean): Row[] {
  const script = fileURLToPath(new URL('run.ts', import.meta.url))
  const args = ['--import', 'tsx', script, '--json', '--tree', tree, '--only', names.join(',')]
  if (isShort) args.push('--short')
  const { stdout, error } = spawnSync(process.execPath, args, {
    cwd: root,
    stdio: ['ignore', 'pipe', 'inherit'],
    encoding: 'utf8',
  })
  if (error) throw error
  return JSON.parse(stdout)
}

interface Round {
  readonly before: Row
  readonly now: Row
}

function changeOf({ what, reference, goal }: Row, rounds: readonly Round[], isShort: boolean) {
  const of = (pick: (row: Row) => number) => ({
    before: median(rounds.map(({ before }) => pick(before))),
    now: median(rounds.map(({ now }) => pick(now))),
    change: median(rounds.map(({ before, now }) => pick(now) / pick(before))),
  })
  const rate = of(({ ratio }) => ratio)
  const cpu = of((row) => row.cpu?.ratio ?? Number.NaN)
  const isLess = goal !== undefined && 'most' in goal
  const isMoreWork = cpu.change > 1 / (1 - LIMIT)
  const isSlower = isLess ? rate.change > 1 / (1 - LIMIT) : rate.change < 1 - LIMIT
  const isWorse = isSlower && (isMoreWork || !isShort)
  const shown = ({ before, now, change }: ReturnType<typeof of>) =>
    [before, now, change].map((value) => (Number.isNaN(value) ? '' : `${value.toFixed(2)} ×`))
  return {
    isWorse,
    cells: [`${what}, of ${reference}`, ...shown(rate), ...shown(cpu), isWorse ? 'worse' : ''],
  }
}
