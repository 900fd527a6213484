/**
 * `npm run release -- [--dry-run] major|minor|patch|1.0.0`: makes the files of a release in `release/`. They are the
 * package, the OpenAPI document, a bill of materials (CycloneDX), the notes and checksums. Then commits the version and
 * the changelog, and tags the commit. With `--dry-run`, restores both files instead. Does not publish the release. Without
 * `--dry-run`, it first measures the speed beside the last release's, and fails if a ratio is worse by a fifth.
 */
import { execFileSync } from 'node:child_process'
import { createHash } from 'node:crypto'
import { mkdirSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import process from 'node:process'
import { cutRelease, nextVersion } from './release/changelog.js'
import { shippedComponents } from './release/shipped-components.js'

const CHANGED = ['CHANGELOG.md', 'package.json', 'package-lock.json', 'oclif.manifest.json']
const FOLDER = 'release'

const words = process.argv.slice(2)
const isDry = words.includes('--dry-run')
const [word = 'minor'] = words.filter((each) => each !== '--dry-run')

try {
  release(nextVersion(JSON.parse(readFileSync('package.json', 'utf8')).version, word))
} catch (error) {
  process.stderr.write(`error: ${error instanceof Error ? error.message : String(error)}\n`)
  process.exitCode = 1
}

function release(version: string): void {
  if (run('git', ['status', '--porcelain']) !== '')
    throw new Error('The work tree has changes: commit them first')
  if (!isDry) compareSpeed()
  rmSync(FOLDER, { recursive: true, force: true })
  mkdirSync(FOLDER)
  try {
    const { text, notes } = cutRelease(
      readFileSync('CHANGELOG.md', 'utf8'),
      version,
      new Date().toISOString().slice(0, 10),
    )
    writeFileSync('CHANGELOG.md', text)
    writeFileSync(join(FOLDER, `payctl-${version}-notes.md`), `${notes}\n`)
    run('npm', ['version', version, '--no-git-tag-version', '--allow-same-version'])
    run('npm', ['run', 'manifest'])
    run('npm', ['pack', '--silent', '--pack-destination', FOLDER])
    writeFileSync(
      join(FOLDER, `payctl-${version}-openapi.json`),
      run(process.execPath, ['bin/run.js', 'openapi']),
    )
    // Without peers: npm makes no bill if a tool of development has an optional peer of another version.
    const bill = ['--sbom-format', 'cyclonedx', '--sbom-type', 'application', '--legacy-peer-deps']
    const whole = JSON.parse(run('npm', ['sbom', ...bill]))
    const shipped = shippedComponents(whole, readFileSync('dist/third-party-notices.txt', 'utf8'))
    writeFileSync(join(FOLDER, `payctl-${version}.cdx.json`), `${JSON.stringify(shipped, null, 2)}\n`)
    writeChecksums()
    if (isDry) say(`payctl ${version} (dry run: nothing is committed)`, 'git is as it was')
    else {
      run('git', ['commit', '--all', '--message', `Release ${version}`])
      run('git', ['tag', '--annotate', `v${version}`, '--message', `payctl ${version}`])
      say(
        `payctl ${version}`,
        `publish it: git push --follow-tags; npm publish ${FOLDER}/payctl-${version}.tgz`,
      )
    }
  } finally {
    if (isDry) run('git', ['checkout', '--', ...CHANGED])
  }
}

/** Prints the speed of this commit and of the last release. Throws if a ratio is worse by a fifth. */
function compareSpeed(): void {
  const last = run('git', ['log', '-1', '--format=%H', '--grep', '^Release [0-9]'])
  const words = ['run', 'bench', '--', '--only', 'payments,reads,start,batch,webhooks', '--compare', last]
  execFileSync('npm', words, { stdio: 'inherit' })
}

function writeChecksums(): void {
  const lines = readdirSync(FOLDER)
    .sort()
    .map(
      (name) =>
        `${createHash('sha256')
          .update(readFileSync(join(FOLDER, name)))
          .digest('hex')}  ${name}\n`,
    )
  writeFileSync(join(FOLDER, 'SHA256SUMS'), lines.join(''))
}

function say(title: string, next: string): void {
  const sums = readFileSync(join(FOLDER, 'SHA256SUMS'), 'utf8')
  process.stdout.write(`${title}\n\n${sums}\nIn ${FOLDER}/; sha256sum --check SHA256SUMS. ${next}\n`)
}

function run(command: string, args: readonly string[]): string {
  return execFileSync(command, args, {
    encoding: 'utf8',
    maxBuffer: 64 * 1024 * 1024,
    stdio: ['ignore', 'pipe', 'inherit'],
  }).trim()
}
