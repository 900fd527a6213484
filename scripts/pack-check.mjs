/**
 * What `npm pack` makes must be whole and work where the project is not: every link of its pages leads to something in
 * it; installed globally it shows help, the interface's document and a page, and takes a payment; so it does in a
 * project, installed by npm, by npm without scripts, and by pnpm; and `npm link` puts the clone's command on the PATH.
 */
import { execFileSync } from 'node:child_process'
import { existsSync, mkdirSync, mkdtempSync, readdirSync, rmSync, statSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import process from 'node:process'
import { brokenLinks } from './pack-check/links.mjs'

/** Limits of what a global installation brings, payctl included. */
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

/** How many packages are in a folder, nested ones included, and how many megabytes (of 1,000,000 bytes) they take. */
function sizeOf(modules) {
  const paths = readdirSync(modules, { recursive: true }).map((path) => join(modules, path))
  const manifests = paths.filter((path) => /node_modules\/(@[^/]+\/)?[^/@]+\/package\.json$/.test(path))
  const bytes = paths.reduce((sum, path) => sum + (existsSync(path) ? statSync(path).size : 0), 0)
  return { packages: manifests.length, megabytes: Math.round(bytes / 1_000_000) }
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
