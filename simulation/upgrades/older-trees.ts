import { execFileSync } from 'node:child_process'
import { mkdirSync, mkdtempSync, symlinkSync } from 'node:fs'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'

const root = fileURLToPath(new URL('../..', import.meta.url))
const NAMES = 'src/engine/store/migrations/builder/migration.ts'

/** The last commit before each change of the list of migrations, the oldest first. */
export function refsBeforeMigrations(): string[] {
  const changes = git('log', '--reverse', '--format=%h', '--', NAMES).split('\n').slice(1)
  const befores = changes.map((ref) => git('rev-parse', '--short', `${ref}^`))
  const lasts = new Map(befores.map((ref) => [git('show', `${ref}:${NAMES}`), ref]))
  // Before there were names, 0001 was the only migration.
  return [...lasts].filter(([text]) => text.includes('migrationNames')).map(([, ref]) => ref)
}

/** Checks a commit out into a folder of its own, which goes afterwards. */
export async function inTreeOf<T>(ref: string, use: (tree: string) => Promise<T>): Promise<T> {
  const parent = join(root, '.payctl', 'upgrades')
  mkdirSync(parent, { recursive: true })
  const tree = mkdtempSync(join(parent, 'tree-'))
  git('worktree', 'add', '--force', '--detach', tree, ref)
  try {
    symlinkSync(join(root, 'node_modules'), join(tree, 'node_modules'))
    return await use(tree)
  } finally {
    git('worktree', 'remove', '--force', tree)
  }
}

function git(...args: readonly string[]): string {
  return execFileSync('git', args, {
    cwd: root,
    encoding: 'utf8',
    stdio: ['ignore', 'pipe', 'ignore'],
  }).trim()
}
