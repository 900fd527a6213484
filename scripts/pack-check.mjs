/**
 * What `npm pack` makes must be whole and work where the project is not: every link of its pages leads to something in
 * it; installed globally it shows help, the interface's document and a page, and takes a payment; installed in a project
 * it runs by `npx` and `npm exec`; and `npm link` puts the clone's command on the PATH.
 */
import { execFileSync } from 'node:child_process'
import { cpSync, mkdirSync, mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import process from 'node:process'
import { brokenLinks } from './pack-check/links.mjs'

const folder = mkdtempSync(join(tmpdir(), 'payctl-pack-'))
const clone = process.cwd()

try {
  const [{ filename, files }] = JSON.parse(
    run('npm', ['pack', '--json', '--silent', '--pack-destination', folder], { cwd: clone }),
  )
  const tarball = join(folder, filename)
  run('tar', ['-xzf', tarball, '-C', folder])
  const broken = brokenLinks(join(folder, 'package'))
  if (broken.length > 0) throw new Error(`Links that lead nowhere in the package:\n${broken.join('\n')}`)

  const prefix = join(folder, 'global')
  run('npm', ['install', '--global', '--prefix', prefix, '--allow-scripts=better-sqlite3', tarball])
  tryGlobally(join(prefix, 'bin/payctl'), join(prefix, 'lib/node_modules/payctl'))
  tryInProject(tarball, join(prefix, 'lib/node_modules/payctl/node_modules/better-sqlite3/build'))
  tryLinked(join(folder, 'linked'))

  process.stdout.write(
    `pack: ${filename} with ${files.length} files has no broken link, installs globally and in a project, ` +
      'shows help and takes a payment\n',
  )
} finally {
  rmSync(folder, { recursive: true, force: true })
}

function tryGlobally(payctl, installed) {
  expect(run(payctl, ['--help']), /transactions/)
  expect(run(payctl, ['openapi']), /"openapi": "3\.1/)
  expect(run('ls', [join(installed, 'dist/docs')]), /^swagger-ui-bundle\.js$/m)
  expect(run('ls', [join(installed, '../../../share/man/man1')]), /^payctl-transactions\.1$/m)
  run(payctl, ['processing-accounts', 'create', '--data', join(installed, 'docs/corner-shop.json')])
  const payment = ['--amount', '29.99', '--card', '4242424242424242', '--expiry', '12/35']
  expect(run(payctl, ['transactions', 'pay', ...payment]), /processed/)
}

/** SQLite is taken from where it was just built: building it takes a minute and proves nothing new. */
function tryInProject(tarball, builtSqlite) {
  const cwd = join(folder, 'project')
  mkdirSync(cwd)
  run('npm', ['init', '--yes'], { cwd })
  run('npm', ['install', '--ignore-scripts', tarball], { cwd })
  cpSync(builtSqlite, join(cwd, 'node_modules/better-sqlite3/build'), { recursive: true })
  expect(run('npx', ['--no-install', 'payctl', 'transactions', 'list'], { cwd }), /29\.99/)
  expect(run('npm', ['exec', '--no', '--', 'payctl', 'transactions', 'list'], { cwd }), /29\.99/)
}

function tryLinked(prefix) {
  mkdirSync(join(prefix, 'lib'), { recursive: true })
  run('npm', ['link'], { cwd: clone, variables: { npm_config_prefix: prefix } })
  expect(run(join(prefix, 'bin/payctl'), ['transactions', 'list']), /29\.99/)
}

/** Runs a command; away from the project unless told, so that nothing of it can be found by accident. */
function run(command, args, { cwd = folder, variables = {} } = {}) {
  return execFileSync(command, args, {
    encoding: 'utf8',
    maxBuffer: 16 * 1024 * 1024,
    stdio: ['ignore', 'pipe', 'inherit'],
    cwd,
    env: { ...process.env, PAYCTL_HOME: join(folder, 'home'), ...variables },
  })
}

function expect(output, pattern) {
  if (!pattern.test(output)) throw new Error(`Expected ${pattern} in:\n${output}`)
}
