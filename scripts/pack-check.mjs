/**
 * Checks that the package made by `npm pack` is complete and works outside of the project. Every link of its pages must
 * lead to a file or heading in the package. A global installation must show help, the OpenAPI document and a page, and
 * take a payment. The same holds for an installation in a project by npm, by npm without scripts, and by pnpm. `npm
 * link` must put the clone's command on the PATH.
 */
import { execFileSync } from 'node:child_process'
import { existsSync, mkdirSync, mkdtempSync, readdirSync, rmSync, statSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import process from 'node:process'
import { brokenLinks } from './pack-check/links.mjs'

/** Maximal packages and megabytes of a global installation, payctl included. */
const MAX_PACKAGES = 75
const MAX_MEGABYTES = 55

const PNPM = 'pnpm@10.34.8'
const PAYMENT = [
  'transactions',
  'pay',
  '--amount',
  '29.99',
  '--card',
  '4242424242424242',
  '--expiry',
  '12/35',
]

const folder = mkdtempSync(join(tmpdir(), 'payctl-pack-'))
const clone = process.cwd()

try {
  run('npm', ['run', 'build'], { cwd: clone })
  const [{ filename, files }] = JSON.parse(
    run('npm', ['pack', '--json', '--silent', '--pack-destination', folder], { cwd: clone }),
  )
  const tarball = join(folder, filename)
  run('tar', ['-xzf', tarball, '-C', folder])
  const broken = brokenLinks(join(folder, 'package'))
  if (broken.length > 0) throw new Error(`Links that lead nowhere in the package:\n${broken.join('\n')}`)

  const prefix = join(folder, 'global')
  run('npm', ['install', '--global', '--prefix', prefix, tarball])
  const { packages, megabytes } = sizeOf(join(prefix, 'lib/node_modules'))
  if (packages > MAX_PACKAGES || megabytes > MAX_MEGABYTES)
    throw new Error(`A global installation brings ${packages} packages and ${megabytes} MB`)
  tryGlobally(join(prefix, 'bin/payctl'), join(prefix, 'lib/node_modules/payctl'))
  tryInProject('npm', ['npm', 'install', tarball])
  tryInProject('npm-without-scripts', ['npm', 'install', '--ignore-scripts', tarball])
  tryInProject('pnpm', ['npx', '--yes', PNPM, 'add', tarball])
  tryLinked(join(folder, 'linked'))

  process.stdout.write(
    `pack: ${filename} with ${files.length} files has no broken link, installs globally (${packages} packages, ` +
      `${megabytes} MB) and in a project by npm and pnpm, shows help and takes a payment\n`,
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
  expect(run(payctl, PAYMENT), /processed/)
}

function tryInProject(name, [command, ...args]) {
  const cwd = join(folder, name)
  mkdirSync(cwd)
  run('npm', ['init', '--yes'], { cwd })
  run(command, args, { cwd })
  expect(run('npx', ['--no-install', 'payctl', ...PAYMENT], { cwd }), /processed/)
  expect(run('npm', ['exec', '--no', '--', 'payctl', 'transactions', 'list'], { cwd }), /29\.99/)
}

function tryLinked(prefix) {
  mkdirSync(join(prefix, 'lib'), { recursive: true })
  run('npm', ['link'], { cwd: clone, variables: { npm_config_prefix: prefix } })
  expect(run(join(prefix, 'bin/payctl'), ['transactions', 'list']), /29\.99/)
}

/** Number of packages in a folder, including nested ones, and their size in megabytes (1,000,000 bytes). */
function sizeOf(modules) {
  const paths = readdirSync(modules, { recursive: true }).map((path) => join(modules, path))
  const manifests = paths.filter((path) => /node_modules\/(@[^/]+\/)?[^/@]+\/package\.json$/.test(path))
  const bytes = paths.reduce((sum, path) => sum + (existsSync(path) ? statSync(path).size : 0), 0)
  return { packages: manifests.length, megabytes: Math.round(bytes / 1_000_000) }
}

/**
 * Runs a command and returns its output. The default folder is outside of the project, so that no file of the project
 * is used by accident.
 */
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
